// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "side.hpp"

#include <string>
#include <vector>

namespace tools {

/// How to measure again what came out slower: the commands that add twice as many launches to each side, and the
/// comparison of all of them.
std::vector<std::string> advice(side const& before, side const& after);

} // namespace tools
