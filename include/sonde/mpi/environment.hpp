// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/environment.hpp>
#include <sonde/mpi/control_variables.hpp>
#include <sonde/mpi/group.hpp>

#include <cstddef>
#include <span>
#include <string>

namespace sonde::mpi {

/// Returns `sonde::environment_of` with the control variables of rank 0, on every rank. `patterns` selects the
/// variables to record (see `control_variables`). Without patterns the MPI library's tool interface is not started; its
/// start takes 0.2 s in Open MPI. Collective over the group. Throws mpi::error.
[[nodiscard]] static inline environment
environment_of(group const& ranks, int argc = 0, char const* const* argv = nullptr,
               std::span<char const* const> patterns = recorded_control_variables) {
    auto e = sonde::environment_of(ranks, argc, argv);
    std::string all; // a name and a value, line by line
    if (ranks.rank() == 0 && !patterns.empty())
        for (auto const& variable : control_variables(patterns)) all += variable.name + '\n' + variable.text + '\n';
    sonde::broadcast(ranks, all);
    for (std::size_t at = 0; at != all.size();) {
        auto const middle = all.find('\n', at), end = all.find('\n', middle + 1);
        e.control_variables.emplace_back(all.substr(at, middle - at), all.substr(middle + 1, end - middle - 1));
        at = end + 1;
    }
    return e;
}

} // namespace sonde::mpi
