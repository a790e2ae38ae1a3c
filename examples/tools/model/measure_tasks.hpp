// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "measure_request.hpp"

#include <cstddef>
#include <vector>

namespace tools::model {

/// One point: messages of so many bytes, by so many pairs at once.
struct task {
    std::size_t bytes;
    std::size_t pairs;
    friend bool operator==(task const&, task const&) = default;
};

/// The fewest and the most pairs that a model is measured with; max-rate takes all there are.
std::size_t least_pairs(kind what);
std::size_t most_pairs(kind what);

/// How many records there are of a point.
std::size_t records_of(kind what);

/// 1, 2, 4 .. up to `most`, which is one of them; or every number.
std::vector<std::size_t> pair_counts(std::size_t most, bool every);

/// What is measured, with so many pairs there, in this order: by size, and of a size by pairs.
std::vector<task> tasks_of(measure_request const& asked, std::size_t pairs);

} // namespace tools::model
