// SPDX-License-Identifier: BSL-1.0
#include "option_table.hpp"

#include "option_values.hpp"

namespace osu {

namespace {

/// Messages between ranks, all of a rank from the same memory of the host: not between threads or processes of its own.
bool has_buffers(program const& about) { return about.takes('b') && !about.nccl; }

constexpr option table[] = {
    {'h', "help", takes::nothing, "", "print this help",
     [](options& o, program const&, std::string const&) { o.wanted = wish::help; }},
    {'v', "version", takes::nothing, "", "print the title",
     [](options& o, program const&, std::string const&) { o.wanted = wish::version; }},
    {'f', "full", takes::nothing, "",
     "more columns: the ranks' shortest and longest mean, iterations, parts of the time",
     [](options& o, program const&, std::string const&) { o.full = true; }},
    {'w', "win-options", takes::one, "KIND", "how windows are made: create, allocate, dynamic (see docs/osu.md)",
     set_creation},
    {'s', "sync-option", takes::one, "KIND",
     "transfers lie between: pscw, fence, lock, flush, flush_local, lock_all (see docs/osu.md)", set_synchronization},
    {'m', "message-size", takes::one, "[MIN:]MAX", "sizes from MIN to MAX bytes, doubling; also MIN:", set_sizes},
    {'x', "warmup", takes::one, "N", "iterations before the timed ones (see docs/osu.md for the default)", set_warmup},
    {'i', "iterations", takes::one, "N", "timed iterations (see docs/osu.md for the default)", set_iterations},
    {'t', "num-test-calls", takes::one, "N",
     "calls of MPI_Test beside the work (0); _mt, _mp: threads, processes a side; else unused", set_t},
    {'d', "accelerator", takes::one, "cuda|managed", "use a device; collectives: buffers are there", set_accelerator},
    {'r', "cuda-target", takes::one, "cpu|gpu|both",
     "where work beside the collective is done (cpu); NCCL: accepted, without effect", set_work_place},
    {'M', "mem-limit", takes::one, "N", "bytes of the largest buffer of a rank (536870912)", set_memory_limit},
    {'a', "array-size", takes::one, "N", "accepted, without effect", set_array_size},
    {'l', "in-place", takes::nothing, "", "send from where the result will be (MPI_IN_PLACE)",
     [](options& o, program const&, std::string const&) { o.in_place = true; }},
    {'k', "root-rank", takes::one, "fixed:R|rotate", "the root: a rank, or each in turn (fixed:0)", set_root},
    {'N', "nhbr", takes::one, "TOPOLOGY", "neighbours: cart:DIMENSIONS:RADIUS or graph:FILE (cart:1:1)", set_topology},
    {'W', "window-size", takes::one, "N", "messages under way together (64)", set_window},
    {'b', "buffer-num", takes::one, "single|multiple", "one buffer for all messages, or one for each of a window",
     set_buffers},
    {'p', "num-pairs", takes::one, "N", "accepted; the pairs are always half of the ranks", set_pairs},
    {'R', "print-rate", takes::one, "0|1", "print messages per second (1)", set_print_rate},
    {'V', "vary-window", takes::maybe_long, "", "windows 1, 2, 4 ... 128", set_vary_window},
    {'c', "validation", takes::maybe, "log[:DIR]",
     "check what arrives; log: list what is wrong in DIR (validation_output)", set_validation},
    {'u', "validation-warmup", takes::one, "N", "unchecked repetitions before a checked one, 0 to 10 (5)",
     set_check_warmup},
    {'G', "graph", takes::one, "tty,png,pdf", "draw the iterations of every size, and all sizes", set_graphs},
    {'D', "ddt", takes::one, "TYPE", "derived datatype: cont, vect:STRIDE:BLOCK, indx:FILE", set_layout},
    {'P', "papi", takes::one, "EVENTS[:FILE]", "hardware counters: PAPI is not built in", set_papi},
    {'T', "type", takes::one, "TYPE", "mpi_char, mpi_int, mpi_float, all; may be repeated", add_types},
    {'I', "session", takes::nothing, "", "start MPI as an MPI-4 session",
     [](options& o, program const&, std::string const&) { o.session = true; }},
    {'z', "tail-lat", takes::maybe, "N,N...", "percentiles, 0 to 100 (50,90,99)", set_percentiles},
    {0, "report", takes::one, "FORM=FILE", common::report_help, add_report},
    {0, "until", takes::one, "PERCENT",
     "end a row when the 95 % interval of its median is within PERCENT, or with its budget (see docs/osu.md)",
     set_until},
    {0, "budget", takes::one, "SECONDS", "end a row after SECONDS (0.1 with --until)", set_budget},
    {0, "sync", takes::one, "KIND", "ranks start: none, barrier, dissemination, window (see docs/osu.md)", set_start},
    {0, "cache", takes::one, "POLICY",
     "warm, rotating (through twice the last cache), flushed (before each sample; see docs/osu.md)", set_cache,
     has_buffers},
    {0, "staged", takes::nothing, "",
     "messages of device memory go through pinned host memory, with copies that are timed",
     [](options& o, program const&, std::string const&) { o.staged = true; }, stages},
    {0, "honest", takes::nothing, "",
     "median with 95 % interval, 99th percentile, slowest rank, why a row ended; bus bandwidth, what is hidden",
     [](options& o, program const&, std::string const&) { o.honest = true; }},
};

} // namespace

std::span<option const> option_table() { return table; }

bool accepts(program const& about, option const& o) {
    if (o.letter != 0) return about.takes(o.letter);
    return o.taken == nullptr || o.taken(about);
}

std::string written(option const& o, std::string const& text) {
    auto const name = o.letter == 0 ? std::string{"--"} + o.name : std::string{"-"} + o.letter;
    return text.empty() ? name : name + " " + text;
}

} // namespace osu
