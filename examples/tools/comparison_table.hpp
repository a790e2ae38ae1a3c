// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "verdict.hpp"

#include <string>
#include <vector>

namespace tools {

/// The rows as lines of text: what all rows have in common once, above; then a line each with the settings that differ,
/// both sides (median over launches, its interval, spread within and between launches), the ratio, p and the verdict.
std::vector<std::string> comparison_table(std::vector<judged> const& rows);

} // namespace tools
