// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/launch.hpp"

namespace osu::openshmem {

/// osu_oshm_put_overlap.
suite::named_program put_overlap_program();

} // namespace osu::openshmem
