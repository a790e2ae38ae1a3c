// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "measure_places.hpp"
#include "measure_request.hpp"
#include "measure_tasks.hpp"

#include <sonde/memory.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/synchronized_start.hpp>
#include <sonde/pattern.hpp>
#include <sonde/record.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

namespace tools::model {

/// The ranks of some pairs, how this one takes part, and their common clock. Building it is collective over the ranks.
struct team {
    explicit team(sonde::mpi::group from);
    team(team&&) = delete; // the clock refers to the ranks

    sonde::mpi::group ranks;
    sonde::pairing pairing;
    sonde::mpi::group pair; // this rank and its peer
    sonde::synchronized_start<sonde::steady_clock, sonde::mpi::control_channel> clock;
};

/// Measures points on the ranks of a placement; the others sleep meanwhile.
class bench {
public:
    /// Throws std::bad_alloc, on this rank alone, where there is no memory for messages.
    bench(measure_request const& asked, std::size_t largest_message);

    /// A team for each number of pairs. Collective over the world.
    void gather_teams(sonde::mpi::group const& world, places const& where, std::vector<task> const& tasks);

    /// The records of a point, on the ranks of its pairs; none on others. Collective over the world.
    std::vector<sonde::record> measure(sonde::mpi::group const& world, task const& what);

private:
    std::vector<sonde::record> measure_on(team& with, task const& what) const;

    measure_request const& asked_;
    sonde::host_allocation out_, in_;
    std::map<std::size_t, std::unique_ptr<team>> teams_; // null where this rank is in none of the pairs
};

} // namespace tools::model
