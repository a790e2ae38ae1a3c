// SPDX-License-Identifier: BSL-1.0
#pragma once

// What the commands that replay a trace have in common.

#include "suite/refusal.hpp"
#include "suite/report_file.hpp"
#include "suite/reports.hpp"
#include "tools/replay/run/replay_phases.hpp"

#include <sonde/measure/environment.hpp>
#include <sonde/mpi/group.hpp>

#include <exception>
#include <functional>
#include <string>
#include <vector>

namespace tools::replay {

/// Run `f` on every rank; an exception that it throws on some ranks is a refusal on all: "sonde-replay: ", `about` and
/// its text. Collective over the group.
void together_or_refuse(sonde::mpi::group const& world, std::string const& about, std::function<void()> const& f);

/// Reads a trace and takes it apart in phases, which refer to `into`. Collective; throws a refusal, on all ranks, for a
/// trace that cannot be replayed on this number of ranks.
std::vector<replay_phase> read_phases(sonde::mpi::group const& world, std::string const& file, trace& into);

/// The reporters of the files, on rank 0. Collective; throws a refusal, on all ranks, for a file that cannot be
/// written.
std::vector<suite::reporter> open_reports(sonde::mpi::group const& world, std::vector<suite::report_file> const& files,
                                          sonde::environment const& where);

/// The options of `sonde-replay COMMAND`, which `parse(words)` returns. Throws a refusal for what it throws.
template <class Parse>
auto options_of_command(std::string const& command, int argc, char** argv, Parse parse) {
    try {
        return parse(std::vector<std::string>{argv + 2, argv + argc});
    } catch (std::exception const& e) {
        throw suite::refusal{std::string{"sonde-replay: "} + e.what() + "; see sonde-replay " + command + " --help"};
    }
}

} // namespace tools::replay
