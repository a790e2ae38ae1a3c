// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/drawing/figure.hpp>
#include <sonde/drawing/gnuplot.hpp>
#include <sonde/drawing/sample_pages.hpp>
#include <sonde/drawing/size_figures.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

namespace detail {

/// The samples that each rank has in the record.
std::size_t samples_per_rank(record const& r);

/// The median of each rank's samples, in microseconds.
std::vector<double> rank_medians(record const& r);

/// How much the ranks differ: the largest of their medians divided by the median of their medians.
double rank_spread(std::vector<double> medians);

/// The indices of the `max` largest values, ascending; all of them if there are no more.
std::vector<std::size_t> indices_of_largest(std::vector<double> const& values, std::size_t max);

} // namespace detail

/// A page for `draw` that shows the distribution of each rank's times of an iteration, like `violin_page`. Of more than
/// 32 ranks it shows the 32 ranks with the largest medians. Throws std::invalid_argument for a record without rank
/// samples.
[[nodiscard]] std::string rank_violin_page(std::string const& title, record const& r);

/// A page for `draw` that shows the time of each rank in each sample as a color, on a logarithmic scale: a row for each
/// rank, a column for each sample. A rank that finishes late is a bright row, a disturbance of all ranks a bright
/// column. With more than 40 ranks or 120 samples, a cell shows the largest time of neighboring ranks or samples.
/// Throws std::invalid_argument for a record without rank samples, or without a positive time; times of 0 have no
/// color.
[[nodiscard]] std::string rank_strip_page(std::string const& title, record const& r);

/// What the texts of stragglers do not say.
inline constexpr char const* straggler_note = "Where ranks communicate, the last to finish is often a rank that waited "
                                              "for the late one. A scope of a probe around the work of each rank finds "
                                              "the rank whose work is slow.";

} // namespace sonde
