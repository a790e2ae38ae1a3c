// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/launch.hpp"

#include <string>
#include <vector>

namespace osu::xccl {

/// The programs of the library between two ranks, whose names begin with `prefix`.
std::vector<suite::named_program> pair_programs(std::string const& prefix);

} // namespace osu::xccl
