// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/driver.hpp"

#include "imb/driver/selection.hpp"
#include "imb/driver/table.hpp"
#include "suite/refusal.hpp"

#include <sonde/mpi/environment.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace imb {

namespace {

bool runs_in(mode m, benchmark const& test, modes asked) {
    if (test.modes.size() == 1 || asked == modes::both) return true;
    return (m == mode::aggregate) == (asked == modes::aggregate);
}

/// False: the benchmark ends. Collective over the world.
bool run_with(driver& on, benchmark const& test, int processes) {
    process_groups groups{on.world, on.options, processes, on.about.windows};
    for (auto const m : test.modes)
        if (runs_in(m, test, on.options.aggregate) && !run_sizes({on, test, m, groups})) return false;
    return true;
}

void run_one(driver& on, benchmark const& test) {
    auto const npmin = on.options.npmin.value_or(on.about.npmin);
    for (auto const processes : process_counts(test.kind, on.about.io, on.world.size(), npmin)) {
        if (processes < least_processes(test.kind, on.about.io)) on.print(invalid_line(test, processes));
        else if (!run_with(on, test, processes)) return;
    }
}

} // namespace

void driver::run(std::vector<benchmark const*> const& tests) {
    for (auto const* test : tests) run_one(*this, *test);
}

namespace {

/// Parsed command line.
struct command {
    options asked;
    std::vector<benchmark const*> tests;
};

void require_map(grid const& map, int world) {
    if ((map.p <= 1 && map.q <= 1) || map.p * map.q == world) return;
    throw suite::refusal{"Invalid -map " + std::to_string(map.p) + "x" + std::to_string(map.q) + " of " +
                         std::to_string(world) + " processes; accepted: PxQ with P * Q = " + std::to_string(world)};
}

/// Run the program's `prepare` hook. Returns the text below the list in the header.
std::string prepare(component const& about, command const& given, sonde::mpi::group const& world) {
    if (!about.prepare) return {};
    auto const overlaps = std::any_of(given.tests.begin(), given.tests.end(), [](auto const* test) {
        return test->shows == columns::overlap || test->shows == columns::sync_overlap;
    });
    return about.prepare(given.asked, overlaps, world);
}

int run_program(component const& about, command const& given, sonde::mpi::group const& world, int argc, char** argv) {
    auto const& asked = given.asked;
    require_map(asked.map, world.size());
    auto report = open_reports(world, asked, sonde::mpi::environment_of(world, argc, argv));
    auto const below_list = prepare(about, given, world);
    element_type const data{asked.data, asked.contiguous, false}, reduced{asked.reduced, asked.contiguous, true};
    driver on{about, asked, world, data, reduced, report};
    on.print(header_of(about, asked, {argv, argv + argc}, given.tests) + below_list);
    on.run(given.tests);
    on.print(closing());
    report.finish(world);
    suite::agree(world, on.defects ? "Contents were wrong: see the column defects" : "");
    return 0;
}

} // namespace

void require_level(threading requested, threading provided) {
    if (provided < requested)
        throw refusal{std::string{"Too high -thread_level "} + name(requested) +
                      "; accepted by this MPI library: at most " + name(provided)};
}

int launch(int argc, char** argv, component const& about) {
    return suite::launch(argc, argv, [&]() -> request {
        auto const asked = parse(about, argc, argv);
        if (asked.requested == action::help) return {.text = usage(about, asked)};
        if (asked.requested == action::list) return {.text = list(about)};
        return {.level = asked.level, .run = [&, given = command{asked, selected(about, asked)}](mpi_job const& job) {
                    require_level(given.asked.level, job.provided);
                    return run_program(about, given, job.world, argc, argv);
                }};
    });
}

} // namespace imb
