// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/launch.hpp"

#include <vector>

namespace osu::upcxx {

/// The programs of UPC++ between two ranks.
std::vector<suite::named_program> copy_programs();

} // namespace osu::upcxx
