// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/component.hpp"

#include "imb/driver/imb_command_line.hpp"
#include "imb/driver/imb_driver.hpp"
#include "suite/agreement.hpp"
#include "suite/devices.hpp"
#include "suite/values.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace imb {

namespace {

benchmark const* find(std::vector<benchmark> const& all, std::string const& name) {
    std::vector<std::string> known;
    for (auto const& test : all) {
        if (lower(test.name) == lower(name)) return &test;
        known.push_back(test.name);
    }
    throw suite::refusal{"Invalid benchmark name " + name + hint(name, known) + " (-list prints all)"};
}

} // namespace

std::vector<benchmark const*> selected(std::vector<benchmark> const& all, options const& asked) {
    std::vector<benchmark const*> chosen, excluded;
    for (auto const& name : asked.included) chosen.push_back(find(all, name));
    for (auto const& name : asked.names) chosen.push_back(find(all, name));
    for (auto const& test : all)
        if (asked.names.empty() && test.by_default) chosen.push_back(&test);
    for (auto const& name : asked.excluded) excluded.push_back(find(all, name));
    std::erase_if(chosen, [&](auto* test) { return std::count(excluded.begin(), excluded.end(), test) != 0; });
    if (chosen.empty()) throw suite::refusal{"-exclude leaves no benchmark to run; accepted: some of those asked for"};
    return chosen;
}

std::string list(std::string const& program, std::vector<benchmark> all) {
    std::sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.name < b.name; });
    auto text = "Intel(R) MPI Benchmarks 2021.11\nList of benchmarks:\n" + program + ":\n";
    for (auto const& test : all) {
        text += "    " + test.name + (test.by_default ? "\n" : " (non-default)\n");
        for (auto const& line : test.comment) text += "        " + line + "\n";
    }
    return text;
}

namespace {

/// Parse the command line. Throws refusal also if messages are to lie in memory of an interface that is not built in.
options parse_supported(component const& about, int argc, char const* const* argv) {
    auto const asked = parse(about, argc, argv);
    if (uses_device(asked)) suite::require_built(asked.allocated.api, "", "-mem_alloc_type", "cpu, and all kinds");
    return asked;
}

/// "cpu, host, shared, ": words of `-mem_alloc_type` for memory whose addresses any MPI library takes.
std::string words_of_host_addresses() {
    std::string all;
    for (auto const& row : suite::memory_table())
        if (row.kind != memory_kind::device && !row.allocation_word.empty())
            all.append(row.allocation_word).append(", ");
    return all;
}

/// Choose the device of this rank if messages lie in memory of its interface. Throws refusal, on all ranks, if there is
/// none, or if the MPI library does not take its addresses. Collective over the world.
void prepare_device(options const& asked, sonde::mpi::group const& world) {
    if (!uses_device(asked)) return;
    choose_device(world, {.api = asked.allocated.api,
                          .addresses_to_mpi = asked.allocated.kind == memory_kind::device,
                          .options = "-mem_alloc_type",
                          .accepted = "-mem_alloc_type cpu",
                          .accepted_unaware = words_of_host_addresses() + "and device",
                          .size_options = "-msglog, -msglen, -msgsize"});
    warn_of_shared_devices(world);
}

void require_map(grid const& map, int world) {
    if ((map.p <= 1 && map.q <= 1) || map.p * map.q == world) return;
    throw suite::refusal{"Invalid -map " + std::to_string(map.p) + "x" + std::to_string(map.q) + " of " +
                         std::to_string(world) + " processes; accepted: PxQ with P * Q = " + std::to_string(world)};
}

/// Throws suite::refusal on all ranks if the MPI library provides less than -thread_level requests.
void require_level(threading requested, threading provided) {
    if (provided < requested)
        throw refusal{std::string{"Too high -thread_level "} + name(requested) +
                      "; accepted by this MPI library: at most " + name(provided)};
}

/// The run of some benchmarks: see `suite::request::run`.
int run(component const& about, options const& asked, std::vector<benchmark const*> const& tests, int argc,
        char const* const* argv, suite::mpi_job const& job) {
    auto& world = job.world;
    require_level(asked.level, job.provided);
    if (about.io) suite::require_outside_smpi("MPI_File_open");
    require_map(asked.map, world.size());
    prepare_device(asked, world);
    if (about.require != nullptr) about.require(asked, tests, world);
    auto const where = suite::environment_of(world, argc, argv, asked.reports, uses_device(asked));
    auto report = open_reports(world, asked, where);
    program_run const on{about, asked, tests, world, where, argc, argv, report};
    auto const right = about.run != nullptr ? about.run(on) : run_sweeps(on);
    report.finish(world);
    suite::agree(world, right ? ""
                              : std::string{"Contents were wrong: see "} +
                                    (asked.bits ? "the lines on wrong bits" : about.where_wrong));
    return 0;
}

} // namespace

int launch(int argc, char** argv, component const& about) {
    return suite::launch(argc, argv, [&]() -> suite::request {
        auto const asked = parse_supported(about, argc, argv);
        if (asked.requested == action::help) {
            auto defaults = about.defaults;
            return {.text = usage(about.program, about.syntax.rows(defaults, about.lacks), asked.explained)};
        }
        if (asked.requested == action::list)
            return {.text = about.list.empty() ? list(about.program, about.tests) : about.list};
        return {.level = asked.level,
                .run = [&about, argc, argv, asked, tests = selected(about.tests, asked)](suite::mpi_job const& job) {
                    return run(about, asked, tests, argc, argv, job);
                }};
    });
}

} // namespace imb
