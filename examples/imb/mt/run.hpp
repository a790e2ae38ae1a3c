// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "options.hpp"
#include "rows.hpp"

#include <sonde/mpi/group.hpp>
#include <sonde/record.hpp>

#include <functional>
#include <vector>

namespace imb::mt {

/// The ranks, and of each a communicator for every thread.
struct job {
    sonde::mpi::group& world;
    std::vector<sonde::mpi::group> const& communicators;
    options const& asked;
};

/// Throws common::refusal, on all ranks, if a host does not have the memory for the longest size of these benchmarks.
/// Collective over the world.
void require_memory(std::vector<benchmark const*> const& tests, options const& asked, int threads,
                    sonde::mpi::group const& world);

/// Run a benchmark on all threads of all ranks, and print its table. Records go to `report`, on rank 0. Answers, equal
/// on all ranks, whether all contents were right, of those that were looked at. Throws common::refusal, on all ranks,
/// if one of them does not get its memory. Collective over the world.
bool run(benchmark const& test, job const& on, std::function<void(sonde::record const&)> const& report);

} // namespace imb::mt
