// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "benchmarks.hpp"
#include "options.hpp"

#include <sonde/mpi/group.hpp>
#include <sonde/record.hpp>

#include <functional>

namespace imb::p2p {

/// Run a benchmark on all ranks and all sizes, and print its table. Records go to `report`, on all ranks. Answers
/// whether all contents were right, of those that were looked at. Collective over the group.
bool run(benchmark const& test, options const& asked, sonde::mpi::group& world,
         std::function<void(sonde::record const&)> const& report);

} // namespace imb::p2p
