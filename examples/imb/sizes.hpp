// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "benchmark.hpp"
#include "options.hpp"

#include <cstddef>
#include <vector>

namespace imb {

// Sizes of messages: functions of numbers alone.

/// The largest size that -msglog allows, of elements of `unit` bytes.
std::size_t largest_size(options const& asked, std::size_t unit);

/// The sizes of a benchmark, in their order: those of the user, cut to the largest and rounded up to whole elements; or
/// 0, then from the smallest of -msglog to the largest, doubled. One for benchmarks of one element and of none.
std::vector<std::size_t> sizes_of(family kind, options const& asked, std::size_t unit);

/// The user's sizes that are above what -msglog allows.
std::vector<std::size_t> cut_sizes(options const& asked);

} // namespace imb
