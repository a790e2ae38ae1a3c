// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/launch.hpp"

namespace osu {

/// osu_latency_mp.
suite::named_program multi_process_program();

} // namespace osu
