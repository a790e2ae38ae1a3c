// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "benchmark.hpp"

namespace imb {

/// A message to each neighbour of a ring, and one from each.
work make_exchange(setting& s);

} // namespace imb
