// SPDX-License-Identifier: BSL-1.0
#include "option_table.hpp"

#include "option_files.hpp"
#include "option_values.hpp"

#include <algorithm>
#include <string_view>

namespace imb {

namespace {

using text = std::string const&;

constexpr auto names = "names of benchmarks with commas between; -list prints them";
constexpr auto yes_no = "on, yes, true, enable, 1; off, no, false, disable, 0";

constexpr option table[] = {
    {"help", "", "print this; -help OPTION: explain one", "", 0, [](options&, text) { return true; }},
    {"list", "", "print the names of the benchmarks", "", 0,
     [](options& o, text) { return o.wanted = wish::list, true; }},
    {"thread_level", "LEVEL", "what MPI is started with: single, funneled, serialized or multiple (single)",
     "single, funneled, serialized, multiple", 0, set_level},
    {"input", "FILE", "run the benchmarks that it names, one a line, # before what is none", "a file of names", 0,
     [](options& o, text t) { return add(o.names, names_in(t)); }},
    {"include", "NAME,...", "run these first, beside the default list", names, ',',
     [](options& o, text t) { return set_names(o.included, t); }},
    {"exclude", "NAME,...", "do not run these", names, ',',
     [](options& o, text t) { return set_names(o.excluded, t); }},
    {"npmin", "N", "processes of the first run, doubled until it is all of them (2; files: 1)",
     "a whole number from 1 to 2147483647", 0, set_npmin},
    {"multi", "N", "groups run at once: 0: a table of all; above: lines of each; below: one group alone (-1)",
     "a whole number, such as -1, 0, 1", 0, set_multi},
    {"group_start", "together|apart", "groups begin at once with one count, or each by itself (together)",
     "together, apart", 0, set_group_start},
    {"off_cache", "C[,L]", "messages change places, in twice a cache of C MiB with lines of L bytes; -1: 8,64 (0: off)",
     "-1, or C[,L]: C in 2^20 bytes from 0 to 1048576, L in bytes, whole, from 1 to 1048576", ',', set_off_cache},
    {"iter", "MSGS[,VOL[,NONAGGR]]", "most repetitions, most 2^20 bytes, most of the non-aggregate mode (1000,40,100)",
     "MSGS[,VOL[,NONAGGR]], whole: MSGS, NONAGGR from 1 to 2147483647, VOL in 2^20 bytes from 0 to 8589934592", ',',
     set_iterations},
    {"iter_policy", "POLICY", "what fixes the repetitions: dynamic, off, multiple_np or auto (dynamic)",
     "dynamic, off, multiple_np, auto", 0, set_policy},
    {"time", "SECONDS", "the most that a size takes (10)", "seconds from 0.000001 to 1e9", 0, set_time},
    {"mem", "GIB", "the most memory of a process, in 2^30 bytes (1)", "2^30 bytes, from 0.000001 to 1e6", 0,
     set_memory},
    {"msglen", "FILE", "sizes, one a line, such as 12, 4k, 1m, 1g", "a file of sizes", 0,
     [](options& o, text t) { return o.sizes = sizes_in(t), true; }},
    {"msgsize", "S,...", "sizes in bytes, in place of -msglen", "sizes in bytes, whole, without suffix, commas between",
     ',', set_sizes},
    {"msglog", "[MIN:]MAX", "sizes from 2^MIN to 2^MAX (0:22)", "MAX or MIN:MAX, from 0 to 30, MIN not above MAX", ':',
     set_logs},
    {"map", "PxQ", "neighbours in the order of ranks are P apart: processes of Q nodes, P on each (1x1)",
     "PxQ, whole, from 1x1; 0x0: ranks as they come", 'x', set_map},
    {"aggregate_mode", "MODE", "of tests with two modes: aggregate, non_aggregate or both of them, multi (multi)",
     "aggregate, non_aggregate, multi", 0, set_modes},
    {"root_shift", "BOOL", "each repetition has the next root (off)", yes_no, 0,
     [](options& o, text t) { return set_flag(o.root_shift, t); }},
    {"sync", "BOOL", "a barrier after each call of a collective (on)", yes_no, 0,
     [](options& o, text t) { return set_flag(o.sync, t); }},
    {"imb_barrier", "BOOL", "barriers are a dissemination of messages, not MPI_Barrier (off)", yes_no, 0,
     [](options& o, text t) { return set_flag(o.own_barrier, t); }},
    {"zero_size", "BOOL", "size 0 comes first (on)", yes_no, 0,
     [](options& o, text t) { return set_flag(o.zero_size, t); }},
    {"warm_up", "BOOL", "repetitions before those that count (on)", yes_no, 0,
     [](options& o, text t) { return set_flag(o.warm_up, t); }},
    {"msg_pause", "BOOL", "a pause after each size (off)", yes_no, 0,
     [](options& o, text t) { return set_flag(o.pause, t); }},
    {"window_size", "N", "messages under way together in Uniband and Biband (256)",
     "a whole number from 1 to 1073741823", 0, set_window},
    {"data_type", "TYPE", "elements of messages: byte, char, int, float or double (byte)",
     "byte, char, int, float, double (of the types of MPI none has 16 bits)", 0, set_data_type},
    {"red_data_type", "TYPE", "elements of reductions: int, float or double (float)",
     "int, float, double (MPI does not sum characters)", 0, set_reduced_type},
    {"contig_type", "LAYOUT", "how types are made: base, base_vec, resize or resize_vec (base)",
     "base, base_vec, resize, resize_vec", 0, set_layout},
    {"check", "BOOL", "look at what arrives, in a pass that is not timed, and add a column of defects (off)", yes_no, 0,
     [](options& o, text t) { return set_flag(o.check, t); }},
    {"dir", "DIR", "where files are made (.)", "a directory", 0, set_directory},
    {"hint", "KEY=VALUE", "for MPI_File_open; may be repeated", "KEY=VALUE", 0, add_hint},
    {"report", "FORM=FILE", common::report_help, common::report_accepted, 0, add_report},
};

} // namespace

std::span<option const> option_table() { return table; }

bool accepts(component const& about, option const& o) {
    auto const is_it = [&](std::string_view name) { return name == o.name; };
    if (is_it("dir") || is_it("hint")) return about.io;
    return std::none_of(about.lacks.begin(), about.lacks.end(), is_it);
}

} // namespace imb
