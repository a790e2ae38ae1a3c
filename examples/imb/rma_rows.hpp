// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "benchmark.hpp"

#include <vector>

namespace imb {

// The rows of IMB-RMA, of which each family has a file: each has many types to compile.

/// Two processes, one transfer a repetition.
std::vector<benchmark> rma_pair_rows();
/// Transfers with all others, and with both neighbours.
std::vector<benchmark> rma_many_rows();
/// Two processes, atomic operations.
std::vector<benchmark> rma_atomic_rows();
/// Two processes, of which the target is at work.
benchmark truly_passive_row();

} // namespace imb
