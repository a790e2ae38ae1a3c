// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/assess/collective_algorithms.hpp"

namespace tools::replay {

/// The library's own collective of these arguments. Collective over their communicator.
void call_library(collective_arguments& a);

/// True if an algorithm's result on this rank is that of the library. Collective over the communicator of the
/// arguments; ranks may differ.
bool gives_the_same(collective_algorithm const& algorithm, collective_arguments& a);

} // namespace tools::replay
