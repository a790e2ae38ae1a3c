// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"

#include <vector>

namespace imb {

/// Rows of IMB-MPI1: PingPong, PingPing, Sendrecv and Exchange.
std::vector<benchmark> point_to_point();

/// Rows of IMB-MPI1 that run only on request: specific or any sources, and windows of messages.
std::vector<benchmark> more_point_to_point();

} // namespace imb
