// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/comparison.hpp>

#include <cstddef>
#include <string>

namespace sonde::inline v0_1 {

namespace detail {

/// The height in pixels at which a `speedup_page` has space for each alternative.
std::size_t speedup_page_height(comparison const& found);

} // namespace detail

/// A page for `draw` that shows the speed-ups of a comparison over its base, with their confidence intervals: a row for
/// each alternative, the first one at the top.
///
/// The axis is linear, or logarithmic if its largest value is 4 times the smallest or more. A line marks the base, and
/// a gray area the speed-ups that differ by less than the gain of the criterion, if that is above 0. Marks differ by
/// outcome in shape and color. Throws what `speedup` throws, and std::invalid_argument if there is only a base.
[[nodiscard]] std::string speedup_page(std::string const& title, comparison const& found, criterion required = {});

} // namespace sonde
