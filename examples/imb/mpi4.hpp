// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "benchmark.hpp"

#include <vector>

namespace imb {

/// The rows of IMB-MPI4: Bcast_persist and its like, with work in between, then those without.
std::vector<benchmark> persistent_collectives();

} // namespace imb
