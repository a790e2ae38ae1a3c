// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/driver.hpp"

#include "imb/driver/selection.hpp"
#include "imb/driver/table.hpp"
#include "suite/device.hpp"
#include "suite/refusal.hpp"

#include <sonde/mpi/environment.hpp>
#include <sonde/mpi/memory.hpp>

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

bool is_of_cuda(options const& asked) { return asked.allocated != memory_kind::host; }

/// Throws refusal if messages are to lie in memory of CUDA, which is not built in.
void require_cuda(options const& asked) {
    if (!is_of_cuda(asked) || has_cuda()) return;
    throw refusal{"CUDA Support Not Enabled [-mem_alloc_type]; accepted: cpu, and all kinds in a build that finds the "
                  "CUDA toolkit"};
}

/// Choose the device of this rank if messages lie in memory of CUDA. Throws refusal, on all ranks, if there is none, or
/// if the MPI library does not take its addresses. Collective over the world.
void prepare_device(options const& asked, sonde::mpi::group const& world) {
    if (!is_of_cuda(asked)) return;
    if (asked.allocated == memory_kind::device && sonde::mpi::device_support() == sonde::mpi::support::no)
        throw refusal{"This MPI library takes no addresses of a device [-mem_alloc_type]; accepted: cpu, host, shared, "
                      "and device with a library that is CUDA-aware"};
    if constexpr (has_cuda()) {
        choose_device(world, {"-mem_alloc_type", "-mem_alloc_type cpu", "-msglog, -msglen, -msgsize"});
        warn_of_shared_devices(world);
    }
}

/// The environment, with the device of each rank if messages lie in memory of CUDA. Collective over the world.
sonde::environment environment_of(options const& asked, sonde::mpi::group const& world, int argc, char** argv) {
    auto found = sonde::mpi::environment_of(world, argc, argv);
    if constexpr (has_cuda())
        if (is_of_cuda(asked)) found.devices = sonde::mpi::detail::allgather_texts(world, device_text());
    return found;
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
    prepare_device(asked, world);
    auto report = open_reports(world, asked, environment_of(asked, world, argc, argv));
    auto const below_list = prepare(about, given, world);
    element_type const data{asked.data, asked.contiguous, false}, reduced{asked.reduced, asked.contiguous, true};
    driver on{about, asked, world, data, reduced, memory_of(asked), report};
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
        require_cuda(asked);
        if (asked.requested == action::help) return {.text = usage(about, asked)};
        if (asked.requested == action::list) return {.text = list(about)};
        return {.level = asked.level, .run = [&, given = command{asked, selected(about, asked)}](mpi_job const& job) {
                    require_level(given.asked.level, job.provided);
                    return run_program(about, given, job.world, argc, argv);
                }};
    });
}

} // namespace imb
