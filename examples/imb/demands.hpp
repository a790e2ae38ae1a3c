// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "component.hpp"
#include "counts.hpp"
#include "options.hpp"
#include "space.hpp"

#include <cstddef>
#include <string>

namespace imb {

// What a benchmark of a program demands under these options: functions of values alone.

/// The element that its sizes count in, and the bytes that they are multiples of.
element element_of(benchmark const& test, options const& asked);
std::size_t unit_of(component const& about, benchmark const& test, options const& asked);

/// Do elements have gaps between them, and take twice the memory?
bool with_gaps(options const& asked);

/// What its counts follow from.
count_rules rules_of(component const& about, benchmark const& test, options const& asked, mode in, std::size_t ranks);

/// Bytes of the send and receive buffers of one repetition on `rank`, one of `ranks`. A root has one block for each
/// rank, a rank that is never the root a single block.
lengths lengths_of(benchmark const& test, options const& asked, std::size_t bytes, std::size_t ranks, int rank);
/// The memory that `most` repetitions with these buffers take.
places places_of(component const& about, benchmark const& test, options const& asked, lengths const& of_one,
                 std::size_t most);

/// What to do about too many elements, right of the failure; of programs that can do something.
std::string advice_of(component const& about, benchmark const& test, options const& asked);

} // namespace imb
