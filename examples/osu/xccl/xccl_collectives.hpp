// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/launch.hpp"

#include <string>
#include <vector>

namespace osu::xccl {

/// The collectives of the library, whose names begin with `prefix`.
std::vector<suite::named_program> collective_programs(std::string const& prefix);

} // namespace osu::xccl
