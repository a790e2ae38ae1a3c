// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/imb_driver.hpp"

#include "imb/driver/imb_options.hpp"
#include "imb/driver/imb_plan.hpp"
#include "imb/driver/imb_program.hpp"
#include "imb/driver/imb_table.hpp"
#include "suite/devices.hpp"
#include "suite/refusal.hpp"

#include <mpi.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <string>
#include <vector>

namespace imb {

// Text above and below the tables.

namespace {

std::string const rule = '#' + std::string(64, '-') + '\n';

std::string title(component const& about) {
    return rule + "#    Intel(R) MPI Benchmarks 2021.11, " + about.part + "\n" + rule;
}

std::string date() {
    auto const when = std::time(nullptr);
    std::tm local{};
    char text[64]{};
    std::strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", localtime_r(&when, &local));
    return text;
}

std::string level_name(threading level) {
    constexpr char const* names[] = {"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED",
                                     "MPI_THREAD_MULTIPLE"};
    return names[static_cast<std::size_t>(level)];
}

std::string called(component const& about, std::vector<std::string> const& command) {
    std::string line = "#";
    for (auto const& word : command) line += ' ' + word;
    return "# Calling sequence was: \n\n" + line + (about.blanks.calling ? " \n\n" : "\n\n");
}

std::string lengths_text(component const& about, options const& asked) {
    if (!asked.sizes.empty())
        return about.io ? "# IO lengths were user defined\n" : "# Message lengths were user defined\n";
    auto const largest = std::to_string(std::size_t{1} << asked.max_log);
    auto const smallest = std::to_string(asked.zero_size || about.io ? 0 : std::size_t{1} << asked.min_log);
    std::string const what = about.io ? "io portion" : "message length";
    return "# Minimum " + what + " in bytes:   " + smallest + "\n# Maximum " + what + " in bytes:   " + largest + "\n";
}

/// Line of the user's sizes above the limit of -msglog.
std::string cut_text(options const& asked) {
    auto const cut = cut_sizes(asked);
    if (cut.empty()) return {};
    std::string line = "# Cut to " + std::to_string(std::size_t{1} << asked.max_log) + " by -msglog " +
                       std::to_string(asked.max_log) + ":  ";
    for (auto const n : cut) line += ' ' + std::to_string(n);
    return line + "\n";
}

std::string types_text(component const& about, options const& asked) {
    if (about.io) return "#\n#\n#\n\n";
    auto const last = about.blanks.last ? "# \n# \n\n" : "#\n#\n\n";
    return "#\n# MPI_Datatype                   :   " + mpi_name(asked.data) +
           " \n# MPI_Datatype for reductions    :   " + mpi_name(asked.reduced) +
           (about.blanks.reductions ? " \n" : "\n") + "# MPI_Op                         :   MPI_SUM  \n" + last;
}

std::string list_text(std::vector<benchmark const*> const& tests) {
    std::string text = "# List of Benchmarks to run:\n\n";
    for (auto const* test : tests) {
        text += "# " + test->name + "\n";
        for (auto const& line : test->comment) text += "#     " + line + "\n";
    }
    return text;
}

} // namespace

std::string about_system(threading level) {
    utsname here{};
    uname(&here);
    int version = 0, subversion = 0;
    MPI_Get_version(&version, &subversion);
    return "# Date                  : " + date() + "\n# Machine               : " + here.machine +
           "\n# System                : " + here.sysname + "\n# Release               : " + here.release +
           "\n# Version               : " + here.version + "\n# MPI Version           : " + std::to_string(version) +
           "." + std::to_string(subversion) + "\n# MPI Thread Environment: " + level_name(level) + "\n";
}

std::string header_of(component const& about, options const& asked, std::vector<std::string> const& command,
                      std::vector<benchmark const*> const& tests) {
    return title(about) + about_system(asked.level) + "\n\n" + called(about, command) + lengths_text(about, asked) +
           cut_text(asked) + types_text(about, asked) + list_text(tests);
}

std::string closing() { return "\n\n# All processes entering MPI_Finalize\n\n"; }

// The run.

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

void require_map(grid const& map, int world) {
    if ((map.p <= 1 && map.q <= 1) || map.p * map.q == world) return;
    throw suite::refusal{"Invalid -map " + std::to_string(map.p) + "x" + std::to_string(map.q) + " of " +
                         std::to_string(world) + " processes; accepted: PxQ with P * Q = " + std::to_string(world)};
}

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

using component_run = program_run<options, benchmark>;

/// Run the program's `prepare` hook. Returns the text below the list in the header.
std::string prepare(component const& about, component_run const& on) {
    if (!about.prepare) return {};
    auto const overlaps = std::any_of(on.tests.begin(), on.tests.end(), [](auto const* test) {
        return test->shows == columns::overlap || test->shows == columns::sync_overlap;
    });
    return about.prepare(on.options, overlaps, on.world);
}

/// Line about the user's sizes that IMB measures as the largest of -msglog; "" if there are none.
std::string note_of_cut_sizes(options const& asked) {
    auto const cut = cut_sizes(asked);
    if (cut.empty()) return {};
    return "Note: " + std::to_string(cut.size()) + (cut.size() == 1 ? " size is" : " sizes are") + " above 2^" +
           std::to_string(asked.max_log) + " and measured as " + std::to_string(std::size_t{1} << asked.max_log) +
           "; -msglog MAX raises the limit\n";
}

/// Returns false on world rank 0 if contents were wrong.
bool run_component(component const& about, std::vector<std::string> const& command, component_run const& on) {
    auto const& asked = on.options;
    auto const below_list = prepare(about, on);
    element_type const data{asked.data, asked.contiguous, false}, reduced{asked.reduced, asked.contiguous, true};
    driver all{about, asked, on.world, data, reduced, memory_of(asked), on.report};
    note_device(on.world);
    suite::print(on.world, note_of_cut_sizes(asked), stderr);
    on.print(header_of(about, asked, command, on.tests) + below_list);
    for (auto const* test : on.tests) run_one(all, *test);
    on.print(closing());
    return !all.defects;
}

} // namespace

void require_level(threading requested, threading provided) {
    if (provided < requested)
        throw refusal{std::string{"Too high -thread_level "} + name(requested) +
                      "; accepted by this MPI library: at most " + name(provided)};
}

int launch(int argc, char** argv, component const& about) {
    return launch(
        argc, argv,
        program<options, benchmark>{.name = about.program,
                                    .rows = about.tests,
                                    .options = [&](options& into) { return option_table(into, about); },
                                    .parse = [&](int n, auto words) { return parse_supported(about, n, words); },
                                    .require =
                                        [&about](options const& asked, auto const&, sonde::mpi::group& world) {
                                            if (about.io) suite::require_outside_smpi("MPI_File_open");
                                            require_map(asked.map, world.size());
                                            prepare_device(asked, world);
                                        },
                                    .run =
                                        [&](component_run const& on) {
                                            return run_component(about, {argv, argv + argc}, on);
                                        }});
}

} // namespace imb
