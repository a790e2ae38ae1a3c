// SPDX-License-Identifier: BSL-1.0
#include "tools/map/sonde_map.hpp"

#include "suite/agreement.hpp"
#include "suite/bit_check.hpp"
#include "suite/launch.hpp"
#include "suite/values.hpp"
#include "tools/map/map_findings.hpp"
#include "tools/map/map_html.hpp"
#include "tools/map/map_measurement.hpp"
#include "tools/map/map_nagios.hpp"
#include "tools/map/map_output.hpp"
#include "tools/ranks.hpp"
#include "tools/records/units.hpp"
#include "tools/tool_options.hpp"

#include <sonde/drawing/gnuplot.hpp>
#include <sonde/measure/plan.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/report.hpp>
#include <sonde/report/text.hpp>
#include <sonde/witness.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tools::map {

namespace {

constexpr tool_usage about{
    "sonde-map", operands::none,
    "Usage: mpirun -n RANKS sonde-map [options]\n"
    "Measures latency and bandwidth between all pairs of nodes, or of ranks, in both directions, and names the\n"
    "nodes, links between groups of nodes, and pairs that are slower than the others.\n"
    "Exit status: 0 if nothing is named, 1 if something is named, 2 after an error; with --nagios as below.\n"};

/// Sizes of messages; the default depends on other options.
struct size_texts {
    std::string latency{}, bandwidth = "1M";
};

/// "" or a number of rounds.
bool set_rounds(std::optional<std::size_t>& into, std::string const& text) {
    into = text.empty() ? std::optional{suite::usual_bit_rounds} : suite::number<std::size_t>(text, 1, 1'000'000'000);
    return into.has_value();
}

std::vector<suite::option_row> measurement_rows(map_options& o, size_texts& sizes) {
    using namespace suite;
    return {
        {"per", "node: between the first ranks of all nodes; rank: between all ranks",
         one_of(o.per, {{"node", place_kind::node}, {"rank", place_kind::rank}})},
        {"mode,m MODE",
         "apart: one pair at a time; together: all pairs of a round at once, each place with one partner; ring: each "
         "place sends to the k-th place after it at once, for all k, as mpiGraph does",
         one_of(o.mode, {{"apart", map_mode::apart}, {"together", map_mode::together}, {"ring", map_mode::ring}})},
        {"latency,l SIZES",
         "message sizes of ping-pongs, in bytes: A,B,.. or A:B; K, M, G are units of 1024; or none (default 8; ring "
         "none)",
         text(sizes.latency, "sizes, or none")},
        {"bandwidth,b SIZES", "message sizes of streams, or none", text(sizes.bandwidth, "sizes, or none")},
        {"window,w", "messages of a stream in flight", whole(o.window, 1, 4096)},
        {"until,u", "precision: half the 95 % interval of the median, relative", percent(o.precision, "0.0001", "99")},
        {"time,t SECONDS", "time of a pair in one direction, and at least six samples",
         real(o.time, "seconds", "1e-6", "1e6")},
        {"samples,n", "number of samples of a pair in one direction, instead of --until and --time",
         whole(o.samples, 6, sonde::keep_options::default_samples)},
        {"budget SECONDS", "time of all maps, instead of --time", real(o.budget, "seconds", "1e-3", "1e9")},
        {"quick,q",
         "measure only log2(P) + 2 rounds of the P - 1: names slow nodes or ranks, but not a single slow pair",
         flag(o.quick)},
        {"check-bits ROUNDS",
         "after the maps, compare all bits of ROUNDS messages of each pair, size and direction, all pairs of a round "
         "at "
         "once; name the link, place or node that wrong ones have in common (100 rounds)",
         with_optional_argument(set_by(o.bits, set_rounds, whole_range<std::size_t>(1, 1'000'000'000)))},
        {"time-limit SECONDS",
         "time limit of a pair in one direction; a pair that takes longer ends the job with status 2",
         real(o.time_limit, "seconds", "1e-2", "1e9")}};
}

/// "latency=3.5" or "bandwidth=11000".
bool set_expectation(map_options& o, std::string const& text) {
    auto const at = text.find('=');
    auto const name = text.substr(0, at);
    auto const value = at == text.npos ? std::nullopt : suite::number<double>(text.substr(at + 1), 1e-9, 1e12);
    if (!value || (name != "latency" && name != "bandwidth")) return false;
    (name == "latency" ? o.max_latency : o.min_bandwidth) = value;
    return true;
}

std::vector<suite::option_row> result_rows(map_options& o) {
    using namespace suite;
    return {{"false-alarms P", "probability that something is named although nothing is slow",
             real(o.false_alarms, "a probability", "1e-9", "0.5")},
            {"factor F", "smallest factor by which a suspect is slower", real(o.factor, "a factor", "1", "1000")},
            {"expect METRIC=VALUE",
             "latency=US or bandwidth=MB/S: names all pairs that are worse, by their interval; once for each metric",
             repeating(set_by(o, set_expectation, "latency=US or bandwidth=MB/S"))},
            {"expect-device NAME",
             "fail unless this network device carried the messages of all maps, by its counters: mlx5_0, eth0",
             text(o.device, "the name of a network device")},
            {"json,o", "file of JSON lines, written after each round", file_name(o.json)},
            {"csv", "file of matrices: a line for each sender, a column for each receiver", file_name(o.csv)},
            {"plot", "heatmaps: FILE.svg, FILE.png or FILE.pdf", file_name(o.plot)},
            {"html", "page with the suspects, heatmaps with their values, and a table of pairs", file_name(o.html)},
            {"nagios",
             "print one line for monitoring, in the format of Monitoring Plugins; exit status: 0 nothing is named, 1 "
             "something is slower than the rest, 2 a pair is worse than --expect, 3 after an error",
             flag(o.nagios)}};
}

void add_tasks(map_options& o, map_metric metric, std::string const& option, std::string const& sizes) {
    if (sizes == "none") return;
    for (auto const bytes : read_sizes(sizes, 1, 1, option)) o.tasks.push_back({metric, bytes});
}

/// Throws for options that contradict each other.
void check(command_line const& given, map_options const& o) {
    if (given.has("samples") && (given.has("until") || given.has("time") || given.has("budget")))
        throw std::invalid_argument{"--samples is instead of --until, --time and --budget"};
    if (given.has("time") && given.has("budget")) throw std::invalid_argument{"--budget is instead of --time"};
    auto const measures = [&](map_metric m) {
        for (auto const& t : o.tasks)
            if (t.metric == m) return true;
        return false;
    };
    if (o.tasks.empty()) throw std::invalid_argument{"--latency and --bandwidth: nothing is left to measure"};
    if (o.mode == map_mode::ring && measures(map_metric::latency))
        throw std::invalid_argument{"--latency: in a ring only bandwidth is measured"};
    if (o.max_latency && !measures(map_metric::latency))
        throw std::invalid_argument{"--expect latency: no latency is measured"};
    if (o.min_bandwidth && !measures(map_metric::bandwidth))
        throw std::invalid_argument{"--expect bandwidth: no bandwidth is measured"};
}

/// Throws what read_options throws, or std::invalid_argument, in one line.
map_options parse_map(std::vector<std::string> const& words) {
    map_options o;
    size_texts sizes;
    auto rows = measurement_rows(o, sizes);
    for (auto const& row : result_rows(o)) rows.push_back(row);
    auto const given = read_options(about, rows, words);
    o.answer = given.answer;
    if (!o.answer.empty()) return o;
    if (!given.has("latency")) sizes.latency = o.mode == map_mode::ring ? "none" : "8";
    add_tasks(o, map_metric::latency, "--latency", sizes.latency);
    add_tasks(o, map_metric::bandwidth, "--bandwidth", sizes.bandwidth);
    check(given, o);
    require_own_files({}, {o.json, o.csv, o.plot, o.html});
    return o;
}

std::string refusal_text(std::string const& reason) { return "sonde-map: " + reason + "; see --help"; }

/// The ranks that measure, in the order of the world: all, or the first of each node.
std::vector<int> measuring_ranks(std::vector<int> const& nodes, place_kind per) {
    std::vector<int> ranks;
    int known = -1; // nodes are numbered in the order of their first ranks
    for (std::size_t rank = 0; rank != nodes.size(); ++rank) {
        if (per == place_kind::rank || nodes[rank] > known) ranks.push_back(static_cast<int>(rank));
        known = std::max(known, nodes[rank]);
    }
    return ranks;
}

/// Group of these ranks; empty on other ranks. Collective over the world.
std::optional<sonde::mpi::group> group_of(sonde::mpi::group const& world, std::vector<int> const& ranks) {
    auto const measures = std::find(ranks.begin(), ranks.end(), world.rank()) != ranks.end();
    return split(world, measures ? 0 : MPI_UNDEFINED, world.rank());
}

/// "c5", or "rank 3 (c5)".
std::vector<std::string> names_of(std::vector<int> const& ranks, std::vector<int> const& nodes,
                                  std::vector<std::string> const& hosts, place_kind per) {
    std::vector<std::string> names;
    for (auto const rank : ranks) {
        auto const host =
            sonde::detail::plain_text(hosts[static_cast<std::size_t>(nodes[static_cast<std::size_t>(rank)])]);
        names.push_back(per == place_kind::node ? host : "rank " + std::to_string(rank) + " (" + host + ')');
    }
    return names;
}

/// Files that are written at the end are tried before anything is measured. Collective over the world.
std::optional<pair_lines> open_files(sonde::mpi::group const& world, map_options const& options,
                                     sonde::environment const& environment) {
    std::optional<pair_lines> lines;
    suite::together(world, [&] {
        if (world.rank() != 0) return;
        try {
            for (auto const* path : {&options.csv, &options.html, &options.plot})
                if (!path->empty()) sonde::require_writable(*path);
            if (!options.plot.empty()) static_cast<void>(sonde::canvas::for_file(options.plot));
            if (!options.json.empty()) lines.emplace(options.json, environment);
        } catch (std::exception const& e) {
            throw suite::refusal{refusal_text(e.what())};
        }
    });
    return lines;
}

/// Exit status after an error.
int error_status(bool nagios) { return nagios ? static_cast<int>(nagios_status::unknown) : 2; }

/// Text on stdout and exit status.
struct outcome {
    std::string text;
    int status;
};

outcome outcome_of(map_result const& result, map_options const& options, std::vector<map_findings> const& findings) {
    if (!options.nagios)
        return {report_text(result, options, findings),
                nothing_found(findings) && bits_are_right(result) && device_is_right(result) ? 0 : 1};
    auto const report = nagios_report_of(result, options, findings);
    return {report.line, static_cast<int>(report.status)};
}

/// Writes all output on rank 0; returns the exit status. The line of --nagios is last: an error replaces it.
int status_of(map_result const& result, map_options const& options, sonde::mpi::group const& world,
              pair_lines* lines) try {
    auto const findings = evaluate(result, options);
    auto const [text, status] = outcome_of(result, options, findings);
    if (!options.nagios) suite::print(world, text);
    if (lines != nullptr) lines->finish(result, findings);
    if (!options.csv.empty()) write_csv(options.csv, result);
    if (!options.html.empty()) write_html(options.html, result, options, findings);
    if (!options.plot.empty()) draw_heatmaps(options.plot, result, findings);
    if (options.nagios) suite::print(world, text);
    return status;
} catch (std::exception const& e) {
    auto const text = std::string{"sonde-map: "} + e.what();
    if (options.nagios) suite::print(world, nagios_line(nagios_status::unknown, text));
    else std::fprintf(stderr, "%s\n", text.c_str());
    return error_status(options.nagios);
}

std::string heading(map_options const& options, std::size_t places) {
    constexpr char const* modes[] = {"one pair at a time", "all pairs of a round at once",
                                     "each sends to the k-th place after it, all at once"};
    return "# Sonde map: " + std::to_string(places) + (options.per == place_kind::node ? " nodes, " : " ranks, ") +
           modes[static_cast<std::size_t>(options.mode)] + '\n';
}

/// `measure_maps`, between two readings of the network devices' counters with --expect-device. Collective over the
/// group.
void measure_beside_counters(sonde::mpi::group& group, map_options const& options, map_result& result,
                             pair_lines* lines) {
    if (!options.device) return measure_maps(group, options, result, lines);
    sonde::witness devices;
    devices.begin(group);
    measure_maps(group, options, result, lines);
    if (auto const carried = devices.finish())
        result.transport = {sonde::transport_text(*carried), sonde::transport_statements(*carried),
                            sonde::not_carried_by(*carried, *options.device)};
}

int measure(sonde::mpi::group& world, map_options const& options, int argc, char** argv) {
    map_result result;
    result.environment = shared_environment(world, argc, argv);
    auto const& nodes = result.environment.host_of_rank;
    auto const ranks = measuring_ranks(nodes, options.per);
    if (world.size() < 2) throw suite::refusal{refusal_text("takes at least 2 ranks")};
    if (ranks.size() < 2)
        throw suite::refusal{refusal_text("all " + std::to_string(world.size()) +
                                          " ranks are on one node: --per rank measures between them")};
    result.places = names_of(ranks, nodes, result.environment.hosts, options.per);
    for (auto const rank : ranks) result.node_of_place.push_back(nodes[static_cast<std::size_t>(rank)]);
    auto lines = open_files(world, options, result.environment);
    if (!options.nagios) suite::print(world, heading(options, ranks.size()));
    auto group = group_of(world, ranks);
    int status = 0;
    if (group) {
        result.oversubscribed = group->oversubscribed();
        measure_beside_counters(*group, options, result, lines ? &*lines : nullptr);
    }
    sleeping_barrier(world);
    if (world.rank() == 0) status = status_of(result, options, world, lines ? &*lines : nullptr);
    sonde::broadcast(world, status);
    return status;
}

/// The request of a command line. Stores the exit status in `measured`, unless there is a refusal to print. With
/// `nagios` a refusal is its line.
suite::request request_of(int argc, char** argv, bool nagios, std::optional<int>& measured) {
    map_options options;
    std::string refused;
    try {
        options = parse_map({argv + 1, argv + argc});
    } catch (std::exception const& e) {
        refused = refusal_text(e.what());
    }
    if (!refused.empty() && !nagios) throw suite::refusal{refused};
    if (!options.answer.empty()) return {.text = options.answer};
    return {.run = [=, &measured](suite::mpi_job const& job) {
        try {
            if (!refused.empty()) throw suite::refusal{refused};
            measured = measure(job.world, options, argc, argv);
        } catch (suite::refusal const& e) {
            if (!nagios) throw;
            suite::print(job.world, nagios_line(nagios_status::unknown, e.what()));
            measured = error_status(nagios);
        }
        return *measured;
    }};
}

} // namespace

} // namespace tools::map

int main(int argc, char** argv) {
    using namespace tools::map;
    std::optional<int> measured;
    auto const nagios = std::count(argv + 1, argv + argc, std::string_view{"--nagios"}) != 0;
    auto const status = suite::launch(argc, argv, [&] { return request_of(argc, argv, nagios, measured); });
    return status == 0 || measured ? status : error_status(nagios);
}
