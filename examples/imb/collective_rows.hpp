// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "benchmark.hpp"

#include <vector>

namespace imb {

/// The collectives of IMB-MPI1, Reduce_local among them.
std::vector<benchmark> blocking_collectives();

} // namespace imb
