// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/one_sided/one_sided_driver.hpp"

#include <vector>

namespace osu {

/// Measure one point and, with `-c`, validate it. Collective over the group.
sonde::record measure(one_sided_driver& on, point const& at);

/// All one-sided programs.
std::vector<suite::named_program> one_sided_suite();

} // namespace osu
