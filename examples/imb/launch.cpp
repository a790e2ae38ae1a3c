// SPDX-License-Identifier: BSL-1.0
#include "../common/refusal.hpp"
#include "component.hpp"
#include "header.hpp"
#include "run.hpp"
#include "words.hpp"

#include <sonde/mpi/environment.hpp>
#include <sonde/mpi/guarded.hpp>

#include <boost/mpi/environment.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace imb {

namespace {

/// The command line as read before MPI starts: what it asks for, or why it is refused.
struct command {
    options asked;
    std::vector<benchmark const*> tests;
    std::string refused;
};

command read_command(component const& about, int argc, char const* const* argv) {
    command found;
    try {
        found.asked = parse(about, argc, argv);
        if (found.asked.wanted == wish::measure) found.tests = selected(about, found.asked);
    } catch (common::refusal const& e) {
        found.refused = e.what();
    }
    return found;
}

namespace threads = boost::mpi::threading;
constexpr threads::level levels[] = {threads::single, threads::funneled, threads::serialized, threads::multiple};

threads::level level_of(threading asked) { return levels[static_cast<std::size_t>(asked)]; }

void require_level(threading asked) {
    constexpr char const* names[] = {"single", "funneled", "serialized", "multiple"};
    auto const provided = boost::mpi::environment::thread_level();
    if (provided >= level_of(asked)) return;
    std::size_t most = 0;
    while (levels[most + 1] <= provided) ++most;
    throw common::refusal{std::string{"Too high -thread_level "} + names[static_cast<std::size_t>(asked)] +
                          "; accepted by this MPI library: at most " + names[most]};
}

void require_map(grid const& map, int world) {
    if ((map.p <= 1 && map.q <= 1) || map.p * map.q == world) return;
    throw common::refusal{"Invalid -map " + std::to_string(map.p) + "x" + std::to_string(map.q) + " of " +
                          std::to_string(world) + " processes; accepted: PxQ with P * Q = " + std::to_string(world)};
}

void say(sonde::mpi::group const& world, std::string const& text, std::FILE* to) {
    if (world.rank() != 0) return;
    std::fputs(text.c_str(), to);
    std::fflush(to);
}

reports open_reports(sonde::mpi::group const& world, options const& asked, int argc, char const* const* argv) {
    reports opened;
    auto const where = sonde::mpi::environment_of(world, argc, argv);
    common::together(world, [&] {
        if (world.rank() == 0) opened = reports{asked, where};
    });
    return opened;
}

std::string prepared(component const& about, command const& given, sonde::mpi::group const& world) {
    if (!about.prepare) return {};
    auto const overlaps = std::any_of(given.tests.begin(), given.tests.end(), [](auto const* test) {
        return test->shows == columns::overlap || test->shows == columns::sync_overlap;
    });
    return about.prepare(given.asked, overlaps, world);
}

int measure(component const& about, command const& given, sonde::mpi::group const& world, int argc, char** argv) {
    require_level(given.asked.level);
    require_map(given.asked.map, world.size());
    auto report = open_reports(world, given.asked, argc, argv);
    auto const below = prepared(about, given, world);
    auto const contiguous = given.asked.contiguous;
    element_type const data{given.asked.data, contiguous, false}, reduced{given.asked.reduced, contiguous, true};
    stage on{about, given.asked, world, data, reduced, report};
    on.say(header_of(about, given.asked, {argv, argv + argc}, given.tests) + below);
    run(on, given.tests);
    on.say(closing());
    common::agree(world, on.defects ? "Contents were wrong: see the column defects" : "");
    return 0;
}

int answer(component const& about, command const& given, sonde::mpi::group const& world, int argc, char** argv) {
    common::agree(world, given.refused);
    if (given.asked.wanted == wish::help) say(world, usage(about, given.asked), stdout);
    if (given.asked.wanted == wish::list) say(world, list(about), stdout);
    return given.asked.wanted == wish::measure ? measure(about, given, world, argc, argv) : 0;
}

} // namespace

int launch(int argc, char** argv, component const& about) {
    auto const given = read_command(about, argc, argv);
    boost::mpi::environment const mpi{argc, argv, level_of(given.asked.level)};
    return sonde::mpi::guarded(MPI_COMM_WORLD, [&] {
        sonde::mpi::group const world{MPI_COMM_WORLD};
        auto status = 1;
        try {
            status = answer(about, given, world, argc, argv);
        } catch (common::refusal const& e) {
            say(world, std::string{e.what()} + "\n", stderr);
        }
        world.barrier(); // a launcher may end the others as soon as one rank exits with 1: rank 0 has said why
        return status;
    });
}

} // namespace imb
