// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "benchmark.hpp"

#include <vector>

namespace imb {

// The rows of IMB-RMA, of which each family has a file: each has many types to compile.

/// Two processes, one transfer a repetition.
std::vector<benchmark> rma_pair_rows();
/// The same, one element: atomic operations.
std::vector<benchmark> rma_atomic_rows();
/// Transfers with all others, and with both neighbours.
std::vector<benchmark> rma_many_rows();

} // namespace imb
