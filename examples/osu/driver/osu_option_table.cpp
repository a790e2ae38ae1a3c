// SPDX-License-Identifier: BSL-1.0
#include "osu/driver/osu_option_table.hpp"

#include "osu/driver/library.hpp"
#include "osu/driver/osu_options.hpp"
#include "osu/driver/osu_program.hpp"
#include "suite/bit_check.hpp"

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace osu {

namespace {

constexpr std::size_t most_counts = INT_MAX; // MPI counts requests with an int
constexpr std::size_t most_bytes = PTRDIFF_MAX;

/// A row, and the option, or the group of options, that a program takes or lacks.
struct table_row {
    option_name option;
    option_row row;
};
using table_rows = std::vector<table_row>;

struct window_word {
    char const* word;
    char const* function; // MPI_Win_...
};

// In the order of the enumerators.
constexpr window_word creations[] = {{"create", "create"}, {"allocate", "allocate"}, {"dynamic", "create_dynamic"}};
constexpr window_word synchronizations[] = {{"lock", "lock/unlock"},
                                            {"flush", "flush"},
                                            {"flush_local", "flush_local"},
                                            {"lock_all", "lock_all/unlock_all"},
                                            {"pscw", "post/start/complete/wait"},
                                            {"fence", "fence"}};

/// Choices of an enumeration whose enumerators count from 0.
template <class E, std::size_t N>
std::vector<choice<E>> choices_of(window_word const (&all)[N]) {
    std::vector<choice<E>> found;
    for (std::size_t i = 0; i != N; ++i) found.push_back({all[i].word, static_cast<E>(i)});
    return found;
}

std::vector<choice<synchronization>> synchronizations_of(program const& about) {
    auto all = choices_of<synchronization>(synchronizations);
    if (!about.passive_targets) std::erase_if(all, [](auto const& s) { return is_passive(s.value); });
    return all;
}

std::size_t bytes_of_text(std::string const& text) {
    if (auto const bytes = number<std::size_t>(text, 0, most_bytes)) return *bytes;
    throw invalid_value{"MAX, MIN:MAX, MIN: or :MAX in bytes, without suffix"};
}

/// "MAX", "MIN:MAX", "MIN:" or ":MAX". A missing limit stays as it is, and MIN 0 leaves the program's own.
bool set_sizes(options& into, std::string const& text) {
    auto const parts = split(text, ':');
    if (parts.size() > 2 || text == ":") return false;
    if (auto const& last = parts.back(); !last.empty()) into.max_size = bytes_of_text(last);
    if (parts.size() == 2 && !parts.front().empty()) {
        auto const first = bytes_of_text(parts.front());
        if (first == 0 && parts.back().empty()) throw invalid_value{"a MIN of at least 1 in MIN:"};
        if (first != 0) into.min_size = first;
    }
    if (into.min_size > into.max_size)
        throw invalid_value{"a MAX that is not below MIN (" + std::to_string(into.min_size) + ")"};
    return true;
}

/// "RECEIVERS" or "SENDERS:RECEIVERS".
std::optional<sides> sides_of(std::string const& text) {
    auto const parts = split(text, ':');
    if (parts.size() > 2) throw invalid_value{"RECEIVERS or SENDERS:RECEIVERS, each from 1 to 127"};
    auto const receivers = number<int>(parts.back(), 1, 127), senders = number<int>(parts.front(), 1, 127);
    if (!receivers || !senders) return std::nullopt;
    return sides{parts.size() == 2 ? senders : std::nullopt, *receivers};
}

/// Calls of MPI_Test, or the threads or processes of both sides.
option_value test_calls(options& o, probes meaning) {
    if (meaning == probes::threads || meaning == probes::processes)
        return parsed(o.several, sides_of, whole_range(1, 127));
    return whole(o.tests, 0, most_counts);
}

std::string test_calls_complaint(probes meaning) {
    if (meaning == probes::threads) return "Invalid Number of Threads";
    return meaning == probes::processes ? "Invalid Number of Processes" : "Invalid Number of Probes";
}

/// "rotate" or "fixed:R".
std::optional<root_choice> root_of(std::string const& text) {
    if (text == "rotate") return root_choice{true, 0};
    auto const parts = split(text, ':');
    auto const rank = parts.size() == 2 && parts[0] == "fixed" ? number<int>(parts[1], 0, INT_MAX) : std::nullopt;
    return rank ? std::optional{root_choice{false, *rank}} : std::nullopt;
}

/// "graph:FILE" or "cart:DIMENSIONS:RADIUS".
std::optional<topology_choice> topology_of(std::string const& text) {
    constexpr std::string_view graph = "graph:";
    if (text.starts_with(graph) && text != graph) return topology_choice{0, 0, text.substr(graph.size())};
    auto const parts = split(text, ':');
    if (parts.size() != 3 || parts[0] != "cart") return std::nullopt;
    auto const dimensions = number<int>(parts[1], 1, 64), radius = number<int>(parts[2], 1, INT_MAX);
    if (!dimensions || !radius) return std::nullopt;
    return topology_choice{*dimensions, *radius, {}};
}

/// `-V` with a number, which has no effect and may be missing.
bool set_vary_window(bool& into, std::string const& text) {
    into = true;
    return text.empty() || number<int>(text, 1, INT_MAX);
}

/// "", "log" or "log:DIR".
bool set_validation(validation& into, std::string const& text) {
    auto const colon = text.find(':');
    auto const word = text.substr(0, colon), directory = colon == text.npos ? "" : text.substr(colon + 1);
    if (!text.empty() && word != "log") return false;
    if (colon != text.npos && directory.empty()) throw invalid_value{"a directory in -clog:DIR"};
    into.on = true;
    if (word == "log") into.log = directory.empty() ? "validation_output" : directory;
    return true;
}

constexpr std::size_t most_bit_rounds = 1'000'000'000;

/// "" or a number of rounds.
bool set_bit_rounds(validation& into, std::string const& text) {
    into.bits = text.empty() ? std::optional{suite::usual_bit_rounds} : number<std::size_t>(text, 1, most_bit_rounds);
    return into.bits.has_value();
}

/// Percentiles; those of OMB without an argument.
option_value percentile_list(std::vector<int>& into) {
    auto value = list_of(into, repeated::replaces, [](int& one) { return whole(one, 0, 100); });
    value.set = [set = value.set](std::string const& text) { return set(text.empty() ? "50,90,99" : text); };
    return with_optional_argument(std::move(value));
}

option_value graph_list(std::vector<std::string>& into) {
    auto const graph = [](std::string& one) {
        return one_of(one, {{"tty", "tty"}, {"png", "png"}, {"pdf", "pdf"}}, spelling::any_case);
    };
    return accepting("{accepted}, or several with commas", list_of(into, repeated::replaces, graph));
}

std::size_t elements_of(std::string const& text) {
    if (auto const elements = number<std::size_t>(text, 1, INT_MAX)) return *elements;
    throw invalid_value{"vect:STRIDE:BLOCK, both in elements, 1 or more", "Invalid ddt arguments"};
}

derived vector_of(std::vector<std::string> const& parts) {
    constexpr auto complaint = "Invalid ddt arguments";
    if (parts.size() != 3) throw invalid_value{"vect:STRIDE:BLOCK", complaint};
    derived const found{layout::vector, elements_of(parts[1]), elements_of(parts[2]), {}};
    if (found.block > found.stride)
        throw invalid_value{"a BLOCK of at most STRIDE: blocks must not overlap", complaint};
    return found;
}

derived indexed_of(std::string const& text) {
    auto const colon = text.find(':');
    if (colon == text.npos || colon + 1 == text.size()) throw invalid_value{"indx:FILE", "Invalid ddt arguments"};
    return {layout::indexed, 0, 0, text.substr(colon + 1)};
}

/// "cont", "vect:STRIDE:BLOCK" or "indx:FILE". OMB compares the first four letters.
std::optional<derived> layout_of(std::string const& text) {
    auto const parts = split(text, ':');
    auto const word = lower(parts.front()).substr(0, 4);
    if (word == "cont" && parts.size() == 1) return derived{layout::contiguous, 0, 0, {}};
    if (word == "vect") return vector_of(parts);
    if (word == "indx") return indexed_of(text);
    return std::nullopt;
}

/// Datatypes, appended. `reals`: MPI_FLOAT is one.
option_value datatype_list(std::vector<element>& into, bool reals) {
    auto const set = [&into, reals](std::string const& text) {
        auto const word = lower(text);
        auto const all = word == "all";
        auto const before = into.size();
        if (all || word == "mpi_char") into.push_back(element::character);
        if (all || word == "mpi_int") into.push_back(element::integer);
        if (reals && (all || word == "mpi_float")) into.push_back(element::real);
        return into.size() != before;
    };
    return {.set = set, .accepted = std::string{"mpi_char, mpi_int"} + (reals ? ", mpi_float" : "") + " or all"};
}

/// A precision in percent, "5" or "5%", as a fraction.
std::optional<double> precision_of(std::string const& text) {
    auto const percent = number<double>(text.ends_with('%') ? text.substr(0, text.size() - 1) : text, 0.001, 99);
    return percent ? std::optional{*percent / 100} : std::nullopt;
}

/// Words of `-d`, in their order: kinds of memory that have a buffer place.
std::vector<choice<memory_choice>> accelerators_of(program const& about) {
    auto const& library = about.moved_by;
    std::vector<choice<memory_choice>> all;
    for (auto const& row : suite::memory_table()) {
        if (row.word.empty() || row_of(row.kind, &memory_row::place) == nullptr) continue;
        auto const& api = interface_of(row.api);
        all.push_back({std::string{row.word}, {row.kind, row.api}});
        if (library.takes_gpus_only && !api.is_gpu)
            all.back().complaint = std::string{library.title} + " takes no memory of " + api.name;
    }
    std::sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.word < b.word; });
    return all;
}

/// Threads of a process have barriers only.
std::vector<choice<start>> starts_of(program const& about) {
    std::vector<choice<start>> all;
    for (auto const one : about.moved_by.starts)
        if (about.t_means != probes::threads || one <= start::barrier) all.push_back({name(one), one});
    return all;
}

/// "alltoall", "incast", or either with ":BYTES".
std::optional<load_choice> load_of(std::string const& text) {
    auto const parts = split(text, ':');
    if (parts.empty() || parts.size() > 2) return std::nullopt;
    load_choice found;
    if (parts.size() == 2) {
        auto const bytes = number<std::size_t>(parts[1], 1, INT_MAX);
        if (!bytes) return std::nullopt;
        found.bytes = *bytes;
    }
    for (auto const kind : {sonde::mpi::congestion::alltoall, sonde::mpi::congestion::incast}) {
        found.traffic = kind;
        if (parts[0] == sonde::mpi::congestion_names[static_cast<std::size_t>(kind)]) return found;
    }
    return std::nullopt;
}

std::vector<choice<payload>> payloads() {
    auto const* const refused = has_boost_mpi() ? "" : "This build has no Boost.MPI for its MPI library";
    std::vector<choice<payload>> all{{name(payload::bytes), payload::bytes}};
    for (auto const kind : {payload::object, payload::content, payload::datatype})
        all.push_back({name(kind), kind, refused});
    return all;
}

std::vector<choice<sonde::cache>> caches_of(program const& about) {
    return {{"warm", sonde::cache::warm},
            {"rotating", sonde::cache::rotate, about.rotating_refused},
            {"flushed", sonde::cache::flush}};
}

// The rows in the order of the help.

table_rows windows_and_sizes(options& o, program const& about) {
    return {
        {option_name::common, {"help,h", "print this help", assign(o.requested, action::help)}},
        {option_name::common, {"version,v", "print the title", assign(o.requested, action::version)}},
        {option_name::full,
         {"full,f", "more columns: the ranks' shortest and longest mean, iterations, parts of the time", flag(o.full)}},
        {option_name::window_creation,
         {"win-options,w KIND", "how windows are made: create, allocate, dynamic (see docs/osu.md)",
          one_of(o.made_by, choices_of<creation>(creations), spelling::any_case),
          "Invalid option or invalid argument"}},
        {option_name::window_synchronization,
         {"sync-option,s KIND",
          "transfers lie between: pscw, fence, lock, flush, flush_local, lock_all (see docs/osu.md)",
          one_of(o.sync, synchronizations_of(about), spelling::any_case), "Invalid option or invalid argument"}},
        {option_name::message_size,
         {"message-size,m [MIN:]MAX", "sizes from MIN to MAX bytes, doubling; also MIN:",
          set_by(o, set_sizes, "MAX, MIN:MAX, MIN: or :MAX in bytes"), "Invalid Message Size"}},
        {option_name::measurement,
         {"warmup,x", "iterations before the timed ones (see docs/osu.md for the default)",
          whole(o.warmup, 0, most_counts), "Invalid Number of Warmup Iterations"}},
        {option_name::measurement,
         {"iterations,i", "timed iterations (see docs/osu.md for the default)", whole(o.iterations, 1, most_counts),
          "Invalid Number of Iterations"}},
        {option_name::test_calls,
         {"num-test-calls,t N",
          "calls of MPI_Test beside the work (0); _mt, _mp: threads, processes a side; else unused",
          test_calls(o, about.t_means), test_calls_complaint(about.t_means)}},
    };
}

/// Without work beside the collective a word is validated and has no effect.
option_value work_places(options& o, program const& about) {
    auto made =
        accepting("one of them",
                  one_of(o.work_on, {{"cpu", work_place::cpu}, {"gpu", work_place::gpu}, {"both", work_place::both}},
                         spelling::any_case));
    if (about.shows == metric::overlap) return made;
    made.set = [&o, set = made.set](std::string const& text) {
        auto const is_valid = set(text);
        o.work_on = work_place::cpu;
        return is_valid;
    };
    return made;
}

table_rows memory_and_collectives(options& o, program const& about) {
    return {
        {option_name::accelerator,
         {"accelerator,d", "use a device; collectives: buffers are there",
          one_of(o.on, accelerators_of(about), spelling::any_case), "Invalid Accel Type Specified"}},
        {option_name::work_place,
         {"cuda-target,r",
          about.shows == metric::overlap ? "where work beside the collective is done ({default})"
                                         : "accepted, without effect: no work is done beside the collective",
          work_places(o, about), "Please use cpu, gpu, or both"}},
        {option_name::memory_limit,
         {"mem-limit,M", "bytes of the largest buffer of a rank ({default})", whole(o.memory_limit, 1, most_bytes),
          "Invalid Memory Limit"}},
        {option_name::array_size,
         {"array-size,a", "accepted, without effect", unused_number(1, INT_MAX), "Invalid Device Array Size"}},
        {option_name::in_place,
         {"in-place,l", "the receive buffer is the send buffer (MPI_IN_PLACE)", flag(o.in_place)}},
        {option_name::root_rank,
         {"root-rank,k fixed:R|rotate", "the root: a rank, or each in turn (fixed:0)",
          parsed(o.root, root_of, "rotate, or fixed:R with a rank R"), "Invalid root rank"}},
        {option_name::neighborhood,
         {"nhbr,N TOPOLOGY", "neighbors: cart:DIMENSIONS:RADIUS or graph:FILE (cart:1:1)",
          parsed(o.topology, topology_of,
                 "graph:FILE, or cart:DIMENSIONS:RADIUS with 1 to 64 dimensions, radius 1 or more"),
          "Invalid topology"}},
    };
}

table_rows messages(options& o) {
    return {
        {option_name::window_size,
         {"window-size,W", "messages in flight ({default})", whole(o.window, 1, most_counts / 2),
          "Invalid Window Size"}},
        {option_name::buffer_number,
         {"buffer-num,b", "one buffer for all messages, or one for each of a window",
          accepting("'single' or 'multiple'", one_of(o.buffers_apart, {{"single", false}, {"multiple", true}})),
          "Invalid Buffer Type"}},
        {option_name::pairs,
         {"num-pairs,p", "accepted; the pairs are always half of the ranks", unused_number(1, INT_MAX),
          "Invalid Number of Pairs"}},
        {option_name::print_rate,
         {"print-rate,R 0|1", "print messages per second ({default})", whole(o.print_rate, 0, 1),
          "Invalid Print Rate"}},
        {option_name::vary_window,
         {"vary-window,V", "windows 1, 2, 4 ... 128",
          with_optional_argument(set_by(o.vary_window, set_vary_window, whole_range(1, INT_MAX)),
                                 arity::optional_of_name),
          "Invalid Vary Window Argument"}},
    };
}

table_rows contents_and_datatypes(options& o, program const& about) {
    return {
        {option_name::validation,
         {"validation,c log[:DIR]", "check the received data; log: list wrong data in DIR (validation_output)",
          with_optional_argument(set_by(o.check, set_validation, "-c, -clog or -clog:DIR")),
          "Invalid Validation Argument"}},
        {option_name::bit_check,
         {"check-bits ROUNDS", "after a row, compare all bits of ROUNDS iterations; locate wrong ones (100 rounds)",
          with_optional_argument(set_by(o.check, set_bit_rounds, whole_range<std::size_t>(1, most_bit_rounds))),
          "Invalid Number of Rounds"}},
        {option_name::validation_warmup,
         {"validation-warmup,u", "unchecked repetitions before a checked one, 0 to 10 ({default})",
          whole(o.check.warmup, 0, 10), "Invalid Number of Validation Warmup Iterations"}},
        {option_name::graph,
         {"graph,G tty,png,pdf", "draw the iterations of every size, and all sizes", graph_list(o.graphs),
          "Invalid graph type"}},
        {option_name::derived_datatype,
         {"ddt,D TYPE", "derived datatype: cont, vect:STRIDE:BLOCK, indx:FILE",
          parsed(o.data, layout_of, "cont, vect:STRIDE:BLOCK or indx:FILE"), "Invalid ddt type"}},
        {option_name::papi,
         {"papi,P EVENTS[:FILE]", "hardware counters: PAPI is not built in", unavailable("every option but -P"),
          "Invalid option: PAPI is not built in"}},
        {option_name::type,
         {"type,T TYPE", "mpi_char, mpi_int, mpi_float, all; may be repeated", datatype_list(o.types, about.reals),
          "Invalid datatype"}},
    };
}

table_rows statistics_and_synchronization(options& o, program const& about) {
    auto report = report_option(o.reports);
    report.complaint = "Invalid report";
    return {
        {option_name::session, {"session,I", "start MPI as an MPI-4 session", flag(o.session)}},
        {option_name::percentiles,
         {"tail-lat,z N,N...", "percentiles, 0 to 100 (50,90,99)", percentile_list(o.percentiles),
          "Percentile range must be in between 0 and 100"}},
        {option_name::common, report},
        {option_name::measurement,
         {"until PERCENT",
          "end a row when the 95 % interval of its median is within PERCENT, or with its budget (see docs/osu.md)",
          parsed(o.until, precision_of, "PERCENT from 0.001 to 99"), "Invalid precision"}},
        {option_name::measurement,
         {"budget SECONDS", "end a row after SECONDS (0.1 with --until)", real(o.budget, "SECONDS", "1e-6", "1e6"),
          "Invalid budget"}},
        {option_name::measurement,
         {"sync KIND", "ranks start: none, barrier, dissemination, window (see docs/osu.md)",
          one_of(o.sync_start, starts_of(about), spelling::any_case), "Invalid start"}},
        {option_name::cache,
         {"cache POLICY",
          "warm, rotating (through twice the last cache), flushed (before each sample; see docs/osu.md)",
          one_of(o.cache, caches_of(about)), "Invalid cache policy"}},
        {option_name::staged,
         {"staged", "messages of device memory go through pinned host memory, with copies that are timed",
          flag(o.staged)}},
        {option_name::partitions,
         {"partitions N", "equal parts of a message ({default}); sizes are multiples of it",
          whole(o.partitions, 1, 1 << 16), "Invalid Number of Partitions"}},
        {option_name::payload,
         {"payload KIND", "messages: bytes, or by Boost.MPI object, content, datatype (see docs/osu.md)",
          one_of(o.message, payloads()), "Invalid payload"}},
        {option_name::beside,
         {"beside LOAD[:BYTES]",
          "also measure while the ranks from 2 on send to each other: alltoall, incast (see docs/osu.md)",
          parsed(o.beside, load_of, "alltoall or incast, and :BYTES from 1 to 2147483647"), "Invalid load"}},
        {option_name::measurement,
         {"honest",
          "median with 95 % interval, 99th percentile, last rank's mean, why a row ended; bus bandwidth, what is "
          "hidden",
          flag(o.statistics)}},
    };
}

table_rows transport(options& o) {
    return {
        {option_name::witness,
         {"witness", "say which network devices carried the messages, below the table (see docs/osu.md)",
          flag(o.witness)}},
        {option_name::witness,
         {"expect-device NAME", "fail unless this network device carried the messages: mlx5_0, eth0",
          text(o.expected_device, "the name of a network device"), "Invalid device"}},
    };
}

} // namespace

std::string name(payload kind) {
    constexpr char const* words[] = {"bytes", "object", "content", "datatype"};
    return words[static_cast<std::size_t>(kind)];
}
std::string name(start how) {
    constexpr char const* words[] = {"none", "one barrier", "barrier", "dissemination", "window"};
    return words[static_cast<std::size_t>(how)];
}
std::string name(symmetric_data where) { return where == symmetric_data::heap ? "heap" : "global"; }
std::string name(creation how) { return creations[static_cast<std::size_t>(how)].word; }
std::string name(synchronization s) { return synchronizations[static_cast<std::size_t>(s)].word; }
std::string mpi_name(creation how) {
    return std::string{"MPI_Win_"} + creations[static_cast<std::size_t>(how)].function;
}
std::string mpi_name(synchronization s) {
    return std::string{"MPI_Win_"} + synchronizations[static_cast<std::size_t>(s)].function;
}

std::vector<option_row> option_table(options& into, program const& about) {
    std::vector<option_row> all;
    for (auto const& some :
         {windows_and_sizes(into, about), memory_and_collectives(into, about), messages(into),
          contents_and_datatypes(into, about), statistics_and_synchronization(into, about), transport(into)})
        for (auto const& one : some)
            if (about.takes(one.option)) all.push_back(one.row);
    return all;
}

} // namespace osu
