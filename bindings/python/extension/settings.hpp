// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "arguments.hpp"

#include <sonde/clock.hpp>
#include <sonde/measure/comparison.hpp>
#include <sonde/measure/plan.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/measure/type_erasure.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/pattern.hpp>

#include <string>
#include <utility>
#include <vector>

namespace binding {

/// Plans of Python: the rule and the synchronizer are chosen at run time, and an error of one rank is raised on all.
using plan = sonde::plan<sonde::steady_clock, sonde::any_rule, sonde::any_synchronizer<sonde::mpi::group>, true>;

/// The keyword arguments of `run` and `compare`, except for patterns and reports.
struct settings {
    binding::plan plan; // with the synchronizer "once"; see `synchronized`
    std::size_t synchronizer = 0;
    sonde::traffic traffic{};     // of a callable
    sonde::role role{};           // of this rank in a callable
    bool has_traffic = false;     // traffic or role differ from their defaults
    sonde::criterion criterion{}; // of a comparison
    std::string name{};
    std::vector<sonde::parameter> parameters{};
};

/// Reads the arguments. Throws TypeError or ValueError. Does not communicate.
settings read_settings(arguments const& given);

/// The plan with its synchronizer. Collective over the group for "start", which compares clocks.
plan synchronized(settings const& chosen, sonde::mpi::group& ranks);

} // namespace binding
