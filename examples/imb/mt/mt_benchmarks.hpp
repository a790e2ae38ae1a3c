// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"

#include <sonde/pattern.hpp>

#include <vector>

namespace imb::mt {

/// The benchmarks, in the order in which they run. The `defects` of one counts the wrong elements on a thread.
std::vector<benchmark> rows();

/// Pairing by stride: in blocks of `stride` ranks, each even block initiates and the next one responds. Ranks of a last
/// block without a complete partner are idle, and all ranks are idle if the stride exceeds half of them. A stride of 0
/// is half of the ranks.
sonde::pairing pair_by_stride(int rank, int ranks, int stride);

} // namespace imb::mt
