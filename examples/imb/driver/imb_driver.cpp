// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/imb_driver.hpp"

#include "imb/driver/groups.hpp"
#include "imb/driver/imb_plan.hpp"
#include "imb/driver/imb_table.hpp"
#include "imb/driver/sweep.hpp"
#include "suite/devices.hpp"

#include <mpi.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

namespace imb {

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

std::string closing() { return "\n\n# All processes entering MPI_Finalize\n\n"; }

namespace {

/// Header, up to the list of benchmarks.
std::string header_of(program_run const& on) {
    auto const& about = on.about;
    auto const& asked = on.options;
    return title(about) + about_system(asked.level) + "\n\n" + called(about, {on.argv, on.argv + on.argc}) +
           lengths_text(about, asked) + cut_text(asked) + types_text(about, asked) + list_text(on.tests);
}

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
    for (auto const processes : process_counts(test.kind, on.about.io, on.world.size(), on.options.npmin)) {
        if (processes < least_processes(test.kind, on.about.io)) on.print(invalid_line(test, processes) + " \n\n");
        else if (!run_with(on, test, processes)) return;
    }
}

/// Line about the user's sizes that IMB measures as the largest of -msglog; "" if there are none.
std::string note_of_cut_sizes(options const& asked) {
    auto const cut = cut_sizes(asked);
    if (cut.empty()) return {};
    return "Note: " + std::to_string(cut.size()) + (cut.size() == 1 ? " size is" : " sizes are") + " above 2^" +
           std::to_string(asked.max_log) + " and measured as " + std::to_string(std::size_t{1} << asked.max_log) +
           "; -msglog MAX raises the limit\n";
}

} // namespace

bool run_sweeps(program_run const& on) {
    auto const& asked = on.options;
    auto const below_list = on.about.prepare == nullptr ? std::string{} : on.about.prepare(on);
    element_type const data{asked.data, asked.contiguous, false}, reduced{asked.reduced, asked.contiguous, true};
    driver all{on, data, reduced, memory_of(asked)};
    if (asked.bits) all.bits.emplace(on.world.rank());
    note_device(on.world);
    suite::print(on.world, note_of_cut_sizes(asked), stderr);
    on.print(header_of(on) + below_list);
    for (auto const* test : on.tests) run_one(all, *test);
    if (all.bits) {
        auto const& where = on.environment;
        on.print("\n" + all.bits->summary(on.world, where.host_of_rank, where.hosts) + '\n');
    }
    on.print(closing());
    return !all.defects && !(all.bits && all.bits->is_wrong());
}

} // namespace imb
