// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <span>

namespace tools::replay {

/// The functions of the table, in its order.
std::span<char const* const> call_names();

} // namespace tools::replay
