// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/launch.hpp"

#include <vector>

namespace osu::upc {

/// The programs of UPC between two threads.
std::vector<suite::named_program> pair_programs();

} // namespace osu::upc
