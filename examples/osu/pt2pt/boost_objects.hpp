// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/pt2pt/pt2pt_driver.hpp"

namespace osu {

/// Measure the ping-pong of objects of `at.size` characters, sent as `--payload` says, and with `-c` validate it. Only
/// in builds with Boost.MPI. Collective over the group.
sonde::record run_objects(pt2pt_driver& d, point const& at, sweep_plan const& sweep, sonde::pairing pair);

} // namespace osu
