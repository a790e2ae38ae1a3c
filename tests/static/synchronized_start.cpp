// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/mpi/group.hpp>
#include <sonde/sync/synchronized_start.hpp>
#include <sonde/measure/run.hpp>

/// Measure a pattern whose samples begin at the same global time on all ranks. Collective over the group.
sonde::record measure_with_global_clock(sonde::mpi::group const& ranks, sonde::Pattern auto pattern) {
    auto const plan = sonde::plan<>{}.synchronized(sonde::synchronized_start{ranks}).until(sonde::samples{1000});
    return sonde::run(ranks, plan, pattern); // the record has `global`
}

namespace synchronized_start_example {

inline auto measure(sonde::mpi::group const& ranks) { return measure_with_global_clock(ranks, [] {}); }

} // namespace synchronized_start_example
