// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "arguments.hpp"

#include <sonde/clock.hpp>
#include <sonde/measure/comparison.hpp>
#include <sonde/measure/plan.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/measure/type_erasure.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/measure.hpp>
#include <sonde/pattern.hpp>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace binding {

/// Plans of Python: the rule and the synchronizer are chosen at run time, and an error of one rank is raised on all.
using plan = sonde::plan<sonde::steady_clock, sonde::any_rule, sonde::any_synchronizer<sonde::mpi::group>, true>;

/// The keyword arguments of `run` and `compare`, except for patterns and reports.
struct settings {
    binding::plan plan; // with the synchronizer `once`
    sonde::mpi::synchronization synchronize{};
    sonde::traffic traffic{};     // of a callable
    sonde::role role{};           // of this rank in a callable
    bool has_traffic = false;     // traffic or role differ from their defaults
    sonde::criterion criterion{}; // of a comparison
    std::array<double, 3> rule{}; // samples, until and budget; 0 for None
    std::string name{};
    std::vector<sonde::parameter> parameters{};

    /// A number that is equal on all ranks if their parameters are.
    double identity_of_parameters() const;
};

/// Reads the arguments. Throws TypeError or ValueError. Does not communicate.
settings read_settings(arguments const& given);

} // namespace binding
