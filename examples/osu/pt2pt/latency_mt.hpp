// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/launch.hpp"

namespace osu {

/// osu_latency_mt.
suite::named_program multi_threaded_program();

} // namespace osu
