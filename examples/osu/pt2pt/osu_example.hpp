// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/launch.hpp"

namespace osu {

/// osu_example, a program to copy.
suite::named_program example_program();

} // namespace osu
