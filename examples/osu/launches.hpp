// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "options.hpp"
#include "program.hpp"

#include <sonde/record.hpp>
#include <sonde/time.hpp>

#include <cstddef>

namespace osu {

/// How many of the launches that touch managed memory on a device OMB takes off an iteration of a window.
std::size_t launches_taken_off(program const& about, placements const& where, std::size_t window);

/// The record with every iteration that much shorter; the very first one stays.
sonde::record shortened(sonde::record found, sonde::seconds by);

} // namespace osu
