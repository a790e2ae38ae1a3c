// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "any_model.hpp"

#include <string>

namespace tools::model {

/// What a collective of so many processes takes at least, by Hockney's model of messages of this size: barrier,
/// broadcast, allgather, alltoall, allreduce. Throws std::runtime_error for another name, or no process.
sonde::seconds collective_time(std::string const& name, int processes, any_model const& of, double bytes,
                               sonde::seconds gamma);

} // namespace tools::model
