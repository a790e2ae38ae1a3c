// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/launch.hpp"

#include <vector>

namespace osu {

/// osu_latency, osu_latency_persistent and osu_multi_lat.
std::vector<suite::named_program> latency_programs();

} // namespace osu
