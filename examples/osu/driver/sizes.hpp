// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/datatypes.hpp"
#include "osu/driver/osu_options.hpp"
#include "osu/driver/osu_program.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace osu {

// From the options to the rows of a table: the sizes that a library can move, those of each datatype, and their number.

/// Messages that a program can move.
struct size_limits {
    std::size_t element = 1;                                             // bytes; messages are whole elements
    std::size_t most_elements = std::numeric_limits<std::size_t>::max(); // of a message
    std::optional<std::size_t> blocks{}; // of a message's size in the largest buffer, which must be within `-M`
};

/// Options with sizes within the limits: MIN is the multiple of an element below, at least one element; for the memory
/// MAX is lowered without a warning, as in OMB's programs of OpenSHMEM, UPC and UPC++. Throws refusal if no size is
/// left, or if MAX has too many elements.
options within(options asked, size_limits const& limits);

/// Sizes of a datatype's sweep: the smallest, doubled up to the largest, without those below one element. One size of 0
/// if the program has none; the size of one element if it has one row of an element.
std::vector<std::size_t> sizes_of(program const& about, options const& asked, datatype const& type);

/// The windows of `-V`, ascending.
inline constexpr std::array<std::size_t, 8> varied_windows{1, 2, 4, 8, 16, 32, 64, 128};

/// Rows of all datatypes and windows.
std::size_t number_of_points(program const& about, options const& asked);

/// Throws refusal if no size holds an element, so that there would be no row.
void require_row(program const& about, options const& asked);

} // namespace osu
