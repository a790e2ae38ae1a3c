// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/launch.hpp"

namespace osu::openshmem {

/// osu_oshm_atomics.
suite::named_program atomics_program();

} // namespace osu::openshmem
