// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/launch.hpp"

#include <vector>

namespace osu::openshmem {

/// The message rates of OpenSHMEM.
std::vector<suite::named_program> message_rate_programs();

} // namespace osu::openshmem
