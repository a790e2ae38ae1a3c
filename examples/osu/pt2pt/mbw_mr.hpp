// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/launch.hpp"

namespace osu {

/// osu_mbw_mr.
suite::named_program message_rate_program();

} // namespace osu
