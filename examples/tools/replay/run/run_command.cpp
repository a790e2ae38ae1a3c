// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/run/run_command.hpp"

#include "suite/launch.hpp"
#include "suite/report_file.hpp"
#include "suite/reports.hpp"
#include "tools/replay/run/replay_command.hpp"
#include "tools/replay/run/replayed_rank.hpp"
#include "tools/text.hpp"
#include "tools/tool_options.hpp"

#include <sonde/measure/plan.hpp>
#include <sonde/measure/run.hpp>
#include <sonde/measure/type_erasure.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/report/to_string.hpp>
#include <sonde/stat/order_statistics.hpp>

#include <cstddef>
#include <cstdio>
#include <iostream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace tools::replay {

namespace {

constexpr tool_usage run_about{"sonde-replay", operands::one,
                               "Usage: mpirun -n RANKS sonde-replay run [options] TRACE\n"
                               "Sends the messages of a trace again, on as many ranks, and measures each phase: a loop "
                               "that all ranks have, with one pass as iteration, and what is between these loops.\n"
                               "Exit status: 0; 1 if the trace or an option is refused.\n"};

struct run_options {
    std::string file;
    bool thinks = true;
    std::optional<std::size_t> samples;
    std::size_t warmup = 2;
    std::optional<sonde::seconds> time;
    std::vector<suite::report_file> reports;
    std::string answer; // in place of a run
};

std::vector<suite::option_row> rows_of(run_options& o) {
    using namespace suite;
    return {{"think,t", "time between calls: busy, as long as in the application, or 0",
             one_of(o.thinks, {{"busy", true}, {"0", false}})},
            {"samples,n", "passes that are measured of each phase (default 100, or as many as take 5 s)",
             whole(o.samples, 1, 10'000'000)},
            {"time SECONDS", "time for each phase, instead of --samples", real(o.time, "seconds", "1e-3", "1e9")},
            {"warmup,w", "passes before those that are measured", whole(o.warmup, 0, 1'000'000)},
            report_option(o.reports)};
}

/// Throws what read_options throws, or std::invalid_argument.
run_options parse(std::vector<std::string> const& words) {
    run_options o;
    auto const line = read_options(run_about, rows_of(o), words);
    o.answer = line.answer;
    if (!o.answer.empty()) return o;
    if (line.operands.empty()) throw std::invalid_argument{"run takes a trace"};
    if (o.samples && o.time) throw std::invalid_argument{"--time is instead of --samples"};
    o.file = line.operands.front();
    require_own_files({o.file}, suite::paths_of(o.reports));
    return o;
}

std::string fixed(double x, int decimals) { return sonde::detail::fixed(x, decimals); }

/// Median over passes of the mean over ranks. `seconds` are a rank's, with the same number of passes on all.
/// Collective.
double median_of_passes(sonde::mpi::group const& world, std::vector<double> seconds) {
    if (seconds.empty()) return 0;
    world.all_reduce(seconds, sonde::reduction::sum);
    std::vector<sonde::seconds> const sums{seconds.begin(), seconds.end()};
    return sonde::median(sums).count() / world.size();
}

/// One phase as a row: times in microseconds, of a pass.
cells row_of(replay_phase const& phase, sonde::record const& r, double recorded, double replayed) {
    auto const interval = sonde::median_interval(r);
    return {phase.name,
            std::to_string(phase.passes),
            fixed(sonde::median(r).count() * 1e6, 2),
            interval ? '[' + fixed(interval->low.count() * 1e6, 2) + ", " + fixed(interval->high.count() * 1e6, 2) + ']'
                     : "-",
            fixed(recorded * 1e6, 2),
            replayed > 0 ? fixed(replayed * 1e6, 2) : "-",
            recorded > 0 && replayed > 0 ? fixed(replayed / recorded, 3) : "-"};
}

sonde::any_rule rule_of(run_options const& o) {
    if (o.samples) return sonde::samples{*o.samples};
    if (o.time) return sonde::time_budget{*o.time};
    return sonde::samples{100} || sonde::time_budget{sonde::seconds{5}};
}

sonde::plan<record_clock, sonde::any_rule> plan_of(run_options const& o) {
    return sonde::plan<record_clock>{}.warmup(o.warmup).keep(suite::kept_for(o.reports)).until(rule_of(o));
}

int measure(sonde::mpi::group& world, run_options const& o, int argc, char** argv) {
    trace t;
    auto const phases = read_phases(world, o.file, t);
    auto const environment = suite::environment_of(world, argc, argv, o.reports, false);
    auto const reporters = open_reports(world, o.reports, environment);
    suite::print(world, "# Replay of " + t.about.command + " on " +
                            count_text(static_cast<std::size_t>(world.size()), "rank") +
                            (o.thinks ? ", with" : ", without") + " the time between calls\n");
    for (auto const& [call, n] : left_out(t))
        suite::print(world, "# " + count_text(n, "call") + " of MPI_" + call + " left out\n");
    for (auto const& phase : phases)
        if (!phase.remark.empty()) suite::print(world, "# One phase, because of the calls " + phase.remark + '\n');
    auto const& own = t.threads[static_cast<std::size_t>(world.rank())];
    replayed_communicators const communicators{t.programs[own.program], own};
    replayed_windows const windows{t, own};
    std::vector<cells> table{{"phase", "passes", "median (us)", "[95 %]", "MPI then", "MPI now", "now/then"}};
    for (auto const& phase : phases) {
        replayed_rank pattern{t,       own,     phase.steps[static_cast<std::size_t>(world.rank())], communicators,
                              windows, o.thinks};
        sonde::point const at{"replay", {{"phase", phase.name}, {"think", o.thinks ? "busy" : "0"}}};
        auto const r = sonde::run(world, plan_of(o), pattern, at);
        auto const recorded = median_of_passes(world, pattern.recorded_seconds_in_calls());
        auto const replayed = median_of_passes(world, pattern.seconds_in_calls());
        pattern.finish();
        for (auto const& report : reporters) report(r);
        table.push_back(row_of(phase, r, recorded, replayed));
    }
    std::string text = "# Times of a pass in us. MPI: time in the calls, mean of the ranks, median of the passes, in "
                       "the application and in the replay\n";
    if (!o.thinks)
        text +=
            "# MPI now: - , because without the time between calls a pass is all calls, and its median their time\n";
    for (auto const& line : aligned(table, {.first = true})) text += line + '\n';
    suite::print(world, text);
    for (auto const& report : reporters) report.finish();
    return 0;
}

suite::request request_of(int argc, char** argv) {
    auto const o = options_of_command("run", argc, argv, parse);
    if (!o.answer.empty()) return {.text = o.answer};
    return {.run = [=](suite::mpi_job const& job) { return measure(job.world, o, argc, argv); }};
}

} // namespace

int run(int argc, char** argv) {
    return suite::launch(argc, argv, [&] { return request_of(argc, argv); });
}

} // namespace tools::replay
