// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/assess/call_order.hpp"

#include <cstddef>
#include <vector>

namespace tools::replay {

/// How often the calls repeat a shorter exchange that is complete in itself; 0 if they are not complete.
std::size_t repetitions_of(trace const& t, calls_of_ranks const& calls);

/// The first of `parts` equal parts.
calls_of_ranks first_part(calls_of_ranks const& calls, std::size_t parts);

/// Takes messages apart in exchanges that are complete in themselves and have no call site in common, in an order that
/// all ranks keep. A gather and the scatter of the same root that follows it stay together: they may be a reduction.
std::vector<calls_of_ranks> split_by_sites(trace const& t, calls_of_ranks const& calls);

} // namespace tools::replay
