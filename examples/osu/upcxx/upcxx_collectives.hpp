// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/launch.hpp"

#include <vector>

namespace osu::upcxx {

/// The collectives of UPC++.
std::vector<suite::named_program> collective_programs();

} // namespace osu::upcxx
