// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock/global_clock.hpp>

/// Few messages to synchronize clocks, because there may be more ranks than cores.
inline constexpr sonde::clock_sync_options little{4, 3, 5};
