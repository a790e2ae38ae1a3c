// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/assess/site_operation.hpp"

#include <string>
#include <vector>

namespace tools::replay {

/// The operations of all phases, in their order. Disjoint communicators that call the same collective as often are one
/// operation. Remarks say what could not be taken apart.
std::vector<site_operation> operations_of(trace const& t, std::vector<replay_phase> const& phases,
                                          std::vector<std::string>& remarks);

} // namespace tools::replay
