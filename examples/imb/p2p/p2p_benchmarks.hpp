// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"
#include "imb/driver/imb_options.hpp"

#include <sonde/group.hpp>
#include <sonde/mpi/group.hpp>

#include <cstddef>
#include <vector>

namespace imb::p2p {

/// Repetitions of a size: as many as move the bytes of `-iter MAX,VOL`, from 1 to MAX.
std::size_t repetitions_of(iterations const& most, std::size_t bytes);
/// Warm-up repetitions before n repetitions: a tenth, at least one if n > 1.
std::size_t warm_up_of(std::size_t n);

/// Synchronization: a dissemination barrier before the warm-up and before the loop, which is the only sample.
struct start_barrier {
    void operator()(sonde::mpi::group const& group, std::size_t i) const {
        if (i == 0) sonde::dissemination_barrier{}(group, i);
    }
};
/// The benchmarks, in the order in which they run. The `defects` of one counts the wrong bytes on all ranks.
std::vector<benchmark> rows();

} // namespace imb::p2p
