// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/assess/assess_command.hpp"

#include "suite/launch.hpp"
#include "suite/report_file.hpp"
#include "suite/reports.hpp"
#include "tools/ranks.hpp"
#include "tools/replay/assess/assessment_json.hpp"
#include "tools/replay/assess/assessment_text.hpp"
#include "tools/replay/assess/collect_operations.hpp"
#include "tools/replay/assess/lower_bounds.hpp"
#include "tools/replay/assess/machine_file.hpp"
#include "tools/replay/assess/machine_parameters.hpp"
#include "tools/replay/assess/measured_alternatives.hpp"
#include "tools/replay/run/replay_command.hpp"
#include "tools/text.hpp"
#include "tools/tool_options.hpp"

#include <sonde/report/text.hpp>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace tools::replay {

namespace {

constexpr tool_usage assess_about{
    "sonde-replay", operands::one,
    "Usage: mpirun -n RANKS sonde-replay assess [options] TRACE\n"
    "Assesses every call site of a trace against what is achievable here: replays each collective, and each exchange "
    "of messages, alone, and compares it with a lower bound by a model of the machine and with other ways to send the "
    "same data: persistent requests, a neighborhood collective, other algorithms. Names the three sites where most can "
    "be won.\n"
    "Exit status: 0; 1 if the trace, the model or an option is refused.\n"};

struct assess_options {
    std::string file, model, json;
    assessment_plan plan{};
    double share = 0.01;
    std::vector<suite::report_file> reports{};
    std::string answer{}; // in place of a run
};

std::vector<suite::option_row> assess_rows(assess_options& o) {
    using namespace suite;
    return {{"model,m",
             "a fit of sonde-model fit --json: hockney, max-rate or loggp (default: messages between rank 0 and the "
             "last rank are measured)",
             file_name(o.model)},
            {"share", "least share of the run time of the call sites that are assessed", percent(o.share, "0", "100")},
            {"gain", "an alternative is faster if it surely is by more than this", percent(o.plan.gain, "0", "99")},
            {"rounds,n",
             "rounds in which the ways of a call site are compared (default {default}, or as many as take --time, and "
             "at least as many as an outcome needs)",
             whole(o.plan.rounds, 1, 1'000'000)},
            {"time SECONDS", "most time for each call site", real(o.plan.time, "seconds", "1e-3", "1e9")},
            {"json,o", "write all numbers as a JSON object, too", file_name(o.json)},
            report_option(o.reports)};
}

/// Throws what read_options throws, or std::invalid_argument.
assess_options assess_options_of(std::vector<std::string> const& words) {
    assess_options o;
    auto const line = read_options(assess_about, assess_rows(o), words);
    o.answer = line.answer;
    if (!o.answer.empty()) return o;
    if (line.operands.empty()) throw std::invalid_argument{"assess takes a trace"};
    o.file = line.operands.front();
    auto written = suite::paths_of(o.reports);
    written.push_back(o.json);
    require_own_files({o.file, o.model}, written);
    return o;
}

/// The file of --json, opened on rank 0 before anything is measured. Collective.
std::optional<sonde::output_file> open_json(sonde::mpi::group& world, assess_options const& o) {
    std::optional<sonde::output_file> found;
    together_or_refuse(world, "--json: ", [&] {
        if (world.rank() == 0 && !o.json.empty()) found.emplace(o.json);
    });
    return found;
}

/// The parameters of the file, on all ranks; nothing without a file.
std::optional<machine> machine_of(sonde::mpi::group& world, assess_options const& o) {
    std::optional<machine> found;
    together_or_refuse(world, "--model: ", [&] {
        if (!o.model.empty()) found = machine_of_file(o.model);
    });
    return found;
}

/// The operations with a large enough share of the run time; the others are counted.
std::vector<site_operation> assessed_operations(trace const& t, std::vector<replay_phase> const& phases, double share,
                                                assessed_trace& into) {
    for (auto const& thread : t.threads) into.run_seconds = std::max(into.run_seconds, thread.end - thread.begin);
    auto all = operations_of(t, phases, into.remarks);
    auto const is_small = [&](site_operation const& o) { return o.total_seconds() < share * into.run_seconds; };
    into.left_out = std::erase_if(all, is_small);
    return all;
}

int assess(sonde::mpi::group& world, assess_options const& o, int argc, char** argv) {
    trace t;
    auto const phases = read_phases(world, o.file, t);
    auto on = machine_of(world, o);
    auto const environment = shared_environment(world, argc, argv);
    auto const reporters = open_reports(world, o.reports, environment);
    auto json = open_json(world, o);
    assessed_trace all;
    all.command = t.about.command;
    all.ranks = world.size();
    all.gain = o.plan.gain;
    all.confidence = o.plan.confidence;
    auto const operations = assessed_operations(t, phases, o.share, all);
    if (!on) on = measured_machine(world, environment.host_of_rank);
    on->host_of_rank = environment.host_of_rank;
    on->reduction_per_byte = measured_reduction(world);
    all.machine = on->source;
    for (auto const& [call, n] : left_out(t))
        all.remarks.push_back(count_text(n, "call") + " of MPI_" + call + " left out");
    auto const& own = t.threads[static_cast<std::size_t>(world.rank())];
    replayed_communicators const communicators{t.programs[own.program], own};
    auto plan = o.plan; // the errors of all sites add up
    plan.confidence = 1 - (1 - o.plan.confidence) / static_cast<double>(std::max<std::size_t>(1, operations.size()));
    for (auto const& operation : operations) {
        operation_ways ways{world, t, operation, communicators};
        auto const measured = ways.compare(plan);
        for (auto const& report : reporters)
            for (auto const& r : measured.records) report(r);
        all.operations.push_back(assessment_of(operation, ways, measured, plan));
        if (auto const bound = bound_of(t, operation, *on)) all.operations.back().bound_seconds = bound->count();
    }
    rank_by_gain(all.operations);
    suite::print(world, assessment_text(all));
    if (json) json->write(assessment_json(all));
    for (auto const& report : reporters) report.finish();
    return 0;
}

suite::request assess_request(int argc, char** argv) {
    auto const o = options_of_command("assess", argc, argv, assess_options_of);
    if (!o.answer.empty()) return {.text = o.answer};
    return {.run = [=](suite::mpi_job const& job) { return assess(job.world, o, argc, argv); }};
}

} // namespace

int assess(int argc, char** argv) {
    return suite::launch(argc, argv, [&] { return assess_request(argc, argv); });
}

} // namespace tools::replay
