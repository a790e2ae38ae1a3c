// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/environment.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tools {

/// Property of the environment that is not equal in all launches of both sides.
struct environment_difference {
    std::string property;
    std::string before, after; // distinct values of the launches of a side, shortened
    bool matters;              // it may explain a difference of times by itself
    bool operator==(environment_difference const&) const = default;
};

/// Compare the environments of all launches, those of equal ranks per host if a side has several; launches without an
/// environment are ignored, and so are properties that an environment does not have. Differences that matter
/// (communication library, devices that carried the messages, ranks, number of hosts, ranks per host, binding, devices,
/// build, compiler, processors and their frequencies, fabric, GPU driver, transport, container, control variables that
/// all environments have) come before the others (version of the compiler, names of hosts, version of Sonde, kernel,
/// memory, launcher, job, day, stolen CPU time, command).
std::vector<environment_difference> environment_differences(std::vector<sonde::run_file> const& before,
                                                            std::vector<sonde::run_file> const& after);

/// Describe the first rank that is bound to more than one processor: "rank 0 on 0-3". Empty if every rank is bound to
/// one processor, or the bindings are unknown.
std::optional<std::string> unbound_rank(sonde::run_file const& run);

/// Warning about the result of `unbound_rank`.
std::string unbound_warning(std::string const& rank);

} // namespace tools
