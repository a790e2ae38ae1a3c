// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/simulated.hpp"
#include "tools/replay/trace/trace_text.hpp"

#include <sonde/clock/offset.hpp>

#include <mpi.h>

#include <vector>

namespace tools::replay {

/// Clocks of the ranks, compared with that of rank 0 when the recording begins and when it ends. Ranks of one host read
/// one clock, and only their first rank sends messages: at most 20 each time, one host after another.
class clock_offsets {
public:
    /// Collective over the communicator, which must outlive the object.
    explicit clock_offsets(MPI_Comm comm);

    /// Compare the clocks again. Collective.
    void measure_end();
    /// The clock of this rank from `origin`, its MPI_Init, to `now`.
    rank_clock since(record_clock::time_point origin, record_clock::time_point now) const;
    /// True if the ranks with this rank's clock share too few processors.
    bool crowded() const { return crowded_; }

private:
    void find_leaders(int ranks);
    sonde::clock_offset measured() const;

    MPI_Comm comm_;
    int rank_ = 0;
    bool crowded_ = false;
    std::vector<int> leaders_; // of each rank: the first rank with its clock
    sonde::seconds zero_{};    // of global time
    sonde::clock_offset first_{}, last_{};
};

} // namespace tools::replay
