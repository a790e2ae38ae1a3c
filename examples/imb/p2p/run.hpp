// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "benchmarks.hpp"
#include "options.hpp"

#include <sonde/mpi/group.hpp>
#include <sonde/record.hpp>

#include <functional>
#include <vector>

namespace imb::p2p {

/// Throws common::refusal, on all ranks, if a host does not have the memory for the longest size of these benchmarks.
/// Collective over the group.
void require_memory(std::vector<benchmark const*> const& tests, options const& asked, sonde::mpi::group const& world);

/// Run a benchmark on all ranks and all sizes, and print its table. Records go to `report`, on all ranks. Answers
/// whether all contents were right, of those that were looked at. Throws common::refusal, on all ranks, if one of them
/// does not get its memory. Collective over the group.
bool run(benchmark const& test, options const& asked, sonde::mpi::group& world,
         std::function<void(sonde::record const&)> const& report);

} // namespace imb::p2p
