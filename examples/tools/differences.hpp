// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/environment.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tools {

/// Something of the environment that is not the same in all launches of both sides.
struct difference {
    std::string what;
    std::string before, after; // every value of a side once, shortened
    bool matters;              // a comparison would be of that, and not of what was changed on purpose
};

/// What differs, what matters first. Launches without an environment say nothing.
///
/// What matters: communication library, ranks, number of hosts, ranks per host, binding, build, compiler. What may: the
/// compiler's version, names of hosts, Sonde's version, command.
std::vector<difference> differences(std::vector<sonde::run_file> const& before,
                                    std::vector<sonde::run_file> const& after);

/// The command of a launch: as `sonde-launch` was given it, else as the program saw it; empty where neither is known.
std::string command_of(sonde::run_file const& run);

/// The first rank that may run on more than one processor, as "rank 0 on 0-3"; none where all stay or nothing is known.
std::optional<std::string> floating_rank(sonde::run_file const& run);

} // namespace tools
