// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "bench.hpp"

#include <array>
#include <cstddef>
#include <functional>

namespace osu {

/// The windows of `-V`, ascending.
constexpr std::array<std::size_t, 8> varied_windows{1, 2, 4, 8, 16, 32, 64, 128};

/// The lines below osu_mbw_mr's title, and a note where a rank has no partner; how many pairs there are.
int announce_pairs(bench& all);

/// The sweep of a datatype with one window: the usual rows.
void sweep_sizes(bench& all, datatype const& type, std::function<sonde::record(spot const&)> const& measured);

/// The sweep of a datatype under `-V`: a table of MB/s whose columns are windows of 1, 2, 4 ... 128 messages, and below
/// it one of messages per second.
void sweep_windows(bench& all, datatype const& type, std::function<sonde::record(spot const&)> const& measured);

} // namespace osu
