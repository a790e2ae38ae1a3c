// SPDX-License-Identifier: BSL-1.0
#include "tools/model/measure/measure_command.hpp"

#include "suite/agreement.hpp"
#include "suite/hosts.hpp"
#include "suite/launch.hpp"
#include "tools/model/measure/experiment.hpp"
#include "tools/model/measure/measurement.hpp"
#include "tools/ranks.hpp"

#include <sonde/json/lines.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/report.hpp>
#include <sonde/report/progress.hpp>
#include <sonde/report/table.hpp>

#include <cstddef>
#include <exception>
#include <filesystem>
#include <functional>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tools::model {

namespace {

using sonde::column;
using sonde::record;
using reporter = std::function<void(record const&)>;

/// Empty for round trips in which the response is shorter than the message.
std::optional<sonde::seconds> one_way_latency(record const& r) {
    return r.point.name == "round_trips" ? std::nullopt : std::optional{sonde::latency(r)};
}

std::optional<sonde::seconds> entry_skew(record const& r) {
    if (!r.global) return std::nullopt;
    return sonde::median(sonde::detail::as_span(r.global->entry_skews));
}

std::vector<column> columns() {
    return {{"median us", [](record const& r) { return sonde::median(r); }, 3},
            {"median 95 % interval", [](record const& r) { return sonde::median_interval(r); }, 3},
            column{"one way us", one_way_latency, 3}.hidden_if_empty(),
            column{"MB/s", [](record const& r) { return sonde::bandwidth(r) / 1e6; }},
            {"batch", [](record const& r) { return r.batch; }},
            {"samples", [](record const& r) { return r.stop.samples; }},
            {"stopped by", [](record const& r) { return std::string{to_string(r.stop.reason)}; }},
            column{"began apart us", entry_skew, 3}.hidden_if_empty(),
            {"flags", [](record const& r) { return sonde::to_string(r.flags); }}};
}

/// Open the reports of `records` records: a table on stdout, the file if there is one, and the progress on a terminal.
/// Throws std::runtime_error if the file is not empty, std::system_error if it cannot be written.
sonde::progress_line<reporter> open_reports(measure_options const& options, sonde::environment const& environment,
                                            std::size_t records) {
    reporter report = sonde::table{stdout, columns()};
    auto const& out = options.out;
    if (std::filesystem::is_regular_file(out) && std::filesystem::file_size(out) != 0)
        throw std::runtime_error{"'" + out + "' exists: remove it, or name another"};
    if (!out.empty()) report = sonde::tee(std::move(report), sonde::json_lines{out, environment});
    return sonde::progress_line{records, std::move(report)};
}

std::string refusal_text(std::string const& reason) { return "sonde-model measure: " + reason + "; see --help"; }

/// Calls `f`. An exception becomes a refusal.
template <class F>
auto refused_on_exception(F f) {
    try {
        return f();
    } catch (std::exception const& e) {
        throw suite::refusal{refusal_text(e.what())};
    }
}

/// Throws a refusal, on all ranks, if a host or a rank has no memory for the messages. Collective over the world.
measurement allocate(sonde::mpi::group const& world, measure_options const& options, bool is_active) {
    std::optional<measurement> m;
    auto const largest = options.sizes.back();
    auto const why = suite::memory_shortage(world, is_active ? 2.0 * static_cast<double>(largest) : 0);
    suite::agree(world, why.empty() ? "" : refusal_text("--sizes: " + why));
    try {
        m.emplace(options, is_active ? largest : 0);
    } catch (std::bad_alloc const&) {
    }
    suite::agree(world, m ? ""
                          : refusal_text("--sizes: no memory for two messages of " + std::to_string(largest) +
                                         " bytes on every rank"));
    return std::move(*m);
}

/// Throws a refusal, on all ranks, if there are too few ranks.
pair_placement checked_placement(measure_options const& options, sonde::environment const& environment) {
    return refused_on_exception([&] {
        auto placed = place_pairs(environment.host_of_rank, row_of(options.model).most_pairs);
        require_pairs(options, placed, environment.ranks_per_host);
        return placed;
    });
}

bool is_active(pair_placement const& placement, int rank) {
    for (auto const& p : placement.pairs)
        if (p.initiator == rank || p.responder == rank) return true;
    return false;
}

void measure_all(sonde::mpi::group& world, measure_options const& options, sonde::environment const& environment) {
    auto const placement = checked_placement(options, environment);
    auto const points = measurement_points(options, placement.pairs.size());
    auto measure = allocate(world, options, is_active(placement, world.rank()));
    auto report = refused_on_exception([&] {
        return sonde::on_root{
            world, [&] { return open_reports(options, environment, row_of(options.model).records * points.size()); }};
    });
    measure.prepare(world, placement, points);
    suite::print(world, heading(options, placement, world.size()));
    std::vector<measurement_point> imprecise;
    for (auto const& point : points)
        for (auto const& r : measure(world, point)) {
            report(r);
            if (r.stop.reason == sonde::stop_reason::time_budget) imprecise.push_back(point);
        }
    sleeping_barrier(world);
    suite::print(world, closing(options, imprecise));
}

} // namespace

int measure_command(int argc, char** argv) {
    auto const status = suite::launch(argc, argv, [&]() -> suite::request {
        auto const options = refused_on_exception([&] { return parse_measure({argv + 2, argv + argc}); });
        if (!options.answer.empty()) return {.text = options.answer};
        return {.run = [=](suite::mpi_job const& job) {
            measure_all(job.world, options, shared_environment(job.world, argc, argv));
            return 0;
        }};
    });
    return status == 0 ? 0 : 2; // refused
}

} // namespace tools::model
