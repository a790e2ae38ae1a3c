// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/model/measure/experiment.hpp"

#include <sonde/measure/record.hpp>
#include <sonde/memory.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/pattern.hpp>
#include <sonde/sync/synchronized_start.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

namespace tools::model {

/// Ranks that measure with a number of pairs: all initiators in the order of their pairs, then all responders.
/// Construction is collective over the ranks.
struct active_ranks {
    explicit active_ranks(sonde::mpi::group group);
    active_ranks(active_ranks&&) = delete; // the clock refers to the group

    sonde::mpi::group group;
    sonde::pairing pairing;
    sonde::mpi::group pair; // this rank and its peer
    sonde::synchronized_start<sonde::steady_clock, sonde::mpi::control_channel> clock;
};

/// Measures points on pairs of ranks; the other ranks sleep meanwhile.
class measurement {
public:
    /// Allocates the messages. Throws std::bad_alloc, on this rank alone.
    measurement(measure_options const& options, std::size_t largest_message);

    /// Make the communicators for every number of pairs. Collective over the world.
    void prepare(sonde::mpi::group const& world, pair_placement const& placement,
                 std::vector<measurement_point> const& points);

    /// Records of a point, on the ranks of its pairs; empty on other ranks. Collective over the world.
    std::vector<sonde::record> operator()(sonde::mpi::group const& world, measurement_point const& point);

private:
    measure_options const& options_;
    sonde::host_allocation out_, in_;
    std::map<std::size_t, std::unique_ptr<active_ranks>> ranks_; // by number of pairs; null if this rank is in no pair
};

} // namespace tools::model
