// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "benchmark.hpp"

#include <vector>

namespace imb {

/// PingPong, PingPing, Sendrecv and Exchange.
std::vector<benchmark> point_to_point();

/// Those that run when they are asked for: given or any sources, and windows of messages.
std::vector<benchmark> more_point_to_point();

} // namespace imb
