// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "benchmark.hpp"

#include <vector>

namespace imb {

/// The rows of IMB-NBC: Ibcast and its like, with work in between, then those without.
std::vector<benchmark> nonblocking_collectives();

} // namespace imb
