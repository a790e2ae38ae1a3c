// SPDX-License-Identifier: BSL-1.0
#include "../common/refusal.hpp"
#include "component.hpp"
#include "header.hpp"
#include "job.hpp"
#include "run.hpp"
#include "stage.hpp"
#include "words.hpp"

#include <sonde/mpi/environment.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace imb {

namespace {

/// What the command line asks for.
struct command {
    options asked;
    std::vector<benchmark const*> tests;
};

void require_map(grid const& map, int world) {
    if ((map.p <= 1 && map.q <= 1) || map.p * map.q == world) return;
    throw common::refusal{"Invalid -map " + std::to_string(map.p) + "x" + std::to_string(map.q) + " of " +
                          std::to_string(world) + " processes; accepted: PxQ with P * Q = " + std::to_string(world)};
}

std::string prepared(component const& about, command const& given, sonde::mpi::group const& world) {
    if (!about.prepare) return {};
    auto const overlaps = std::any_of(given.tests.begin(), given.tests.end(), [](auto const* test) {
        return test->shows == columns::overlap || test->shows == columns::sync_overlap;
    });
    return about.prepare(given.asked, overlaps, world);
}

int measure(component const& about, command const& given, sonde::mpi::group const& world, int argc, char** argv) {
    require_map(given.asked.map, world.size());
    auto report = open_reports(world, given.asked, sonde::mpi::environment_of(world, argc, argv));
    auto const below = prepared(about, given, world);
    auto const contiguous = given.asked.contiguous;
    element_type const data{given.asked.data, contiguous, false}, reduced{given.asked.reduced, contiguous, true};
    stage on{about, given.asked, world, data, reduced, report};
    on.say(header_of(about, given.asked, {argv, argv + argc}, given.tests) + below);
    run(on, given.tests);
    on.say(closing());
    report.finish(world);
    common::agree(world, on.defects ? "Contents were wrong: see the column defects" : "");
    return 0;
}

} // namespace

int launch(int argc, char** argv, component const& about) {
    return launch(argc, argv, [&]() -> job {
        auto const asked = parse(about, argc, argv);
        if (asked.wanted == wish::help) return {.says = usage(about, asked)};
        if (asked.wanted == wish::list) return {.says = list(about)};
        return {.level = asked.level,
                .body = [&, given = command{asked, selected(about, asked)}](sonde::mpi::group const& world) {
                    return measure(about, given, world, argc, argv);
                }};
    });
}

} // namespace imb
