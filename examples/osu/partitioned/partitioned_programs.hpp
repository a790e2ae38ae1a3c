// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/launch.hpp"

#include <vector>

namespace osu {

/// osu_partitioned_latency, osu_partitioned_bw and osu_partitioned_early_bird.
std::vector<suite::named_program> partitioned_programs();

} // namespace osu
