// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/launch.hpp"

#include <vector>

namespace osu {

/// osu_bw, osu_bibw, both with persistent requests, and osu_bw_fan_in and osu_bw_fan_out.
std::vector<suite::named_program> bandwidth_programs();

} // namespace osu
