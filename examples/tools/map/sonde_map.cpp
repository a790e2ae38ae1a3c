// SPDX-License-Identifier: BSL-1.0
#include "suite/launch.hpp"
#include "suite/refusal.hpp"
#include "suite/values.hpp"
#include "tools/command_line.hpp"
#include "tools/map/measure.hpp"
#include "tools/map/options.hpp"
#include "tools/map/output.hpp"
#include "tools/map/verdict.hpp"
#include "tools/sleeping_barrier.hpp"

#include <sonde/mpi/environment.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/report.hpp>
#include <sonde/report/gnuplot.hpp>
#include <sonde/report/text.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace tools::map;

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

std::optional<sonde::mpi::group> group_of(sonde::mpi::group const& world, std::vector<int> const& ranks) {
    auto const measures = std::find(ranks.begin(), ranks.end(), world.rank()) != ranks.end();
    MPI_Comm part = MPI_COMM_NULL;
    sonde::mpi::check(MPI_Comm_split(world.comm(), measures ? 0 : MPI_UNDEFINED, world.rank(), &part),
                      "MPI_Comm_split");
    if (part == MPI_COMM_NULL) return std::nullopt;
    std::optional<sonde::mpi::group> group{part};
    sonde::mpi::check(MPI_Comm_free(&part), "MPI_Comm_free");
    return group;
}

/// The texts of rank 0, which contain no line feed. Collective over the world.
std::vector<std::string> broadcast(sonde::mpi::group const& world, std::vector<std::string> const& texts) {
    auto lines = sonde::detail::joined(texts, "\n");
    sonde::broadcast(world, lines);
    return suite::split(lines, '\n');
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

/// Writes all output on rank 0; returns the exit status, 2 if something could not be written.
int status_of(map_result const& result, map_options const& options, sonde::mpi::group const& world,
              pair_lines* lines) try {
    auto const verdicts = judge(result, options);
    suite::print(world, report_text(result, options, verdicts));
    if (lines != nullptr) lines->finish(result, verdicts);
    if (!options.csv.empty()) write_csv(options.csv, result);
    if (!options.html.empty()) write_html(options.html, result, options, verdicts);
    if (!options.plot.empty()) draw_heatmaps(options.plot, result, verdicts);
    return passed(verdicts) ? 0 : 1;
} catch (std::exception const& e) {
    std::fprintf(stderr, "sonde-map: %s\n", e.what());
    return 2;
}

std::string heading(map_options const& options, std::size_t places) {
    constexpr char const* modes[] = {"one pair at a time", "all pairs of a round at once",
                                     "each sends to the k-th place after it, all at once"};
    return "# Sonde map: " + std::to_string(places) + (options.per == place_kind::node ? " nodes, " : " ranks, ") +
           modes[static_cast<std::size_t>(options.mode)] + '\n';
}

int measure(sonde::mpi::group& world, map_options const& options, int argc, char** argv) {
    map_result result;
    result.environment = sonde::mpi::environment_of(world, argc, argv);
    auto nodes = result.environment.host_of_rank;
    sonde::broadcast(world, nodes); // on every rank
    auto const ranks = measuring_ranks(nodes, options.per);
    if (world.size() < 2) throw suite::refusal{refusal_text("takes at least 2 ranks")};
    if (ranks.size() < 2)
        throw suite::refusal{refusal_text("all " + std::to_string(world.size()) +
                                          " ranks are on one node: --per rank measures between them")};
    result.places = names_of(ranks, nodes, broadcast(world, result.environment.hosts), options.per);
    for (auto const rank : ranks) result.node_of_place.push_back(nodes[static_cast<std::size_t>(rank)]);
    auto lines = open_files(world, options, result.environment);
    suite::print(world, heading(options, ranks.size()));
    auto group = group_of(world, ranks);
    int status = 0;
    if (group) measure_maps(*group, options, result, lines ? &*lines : nullptr);
    tools::sleeping_barrier(world);
    if (world.rank() == 0) status = status_of(result, options, world, lines ? &*lines : nullptr);
    sonde::broadcast(world, status);
    return status;
}

} // namespace

int main(int argc, char** argv) {
    std::optional<int> verdict;
    auto const status = suite::launch(argc, argv, [&]() -> suite::request {
        map_options options;
        try {
            options = parse_map({argv + 1, argv + argc});
        } catch (std::exception const& e) {
            throw suite::refusal{refusal_text(e.what())};
        }
        if (options.help) return {.text = map_usage()};
        return {.run = [=, &verdict](suite::mpi_job const& job) {
            verdict = measure(job.world, options, argc, argv);
            return *verdict;
        }};
    });
    return status == 0 || verdict ? status : 2; // refused
}
