// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "measure_places.hpp"
#include "measure_request.hpp"

#include <stdexcept>
#include <vector>

namespace tools::model {

/// Why nothing is measured: one line, thrown on all ranks or on none. Rank 0 prints it, and every rank exits with 2.
struct refusal : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Throws where ranks, as they lie, make too few pairs for what is measured.
void require_pairs(measure_request const& asked, places const& where, std::vector<int> const& ranks_per_node);

/// Throws where messages of all ranks of a node need more memory than `there` is.
void require_memory(measure_request const& asked, std::vector<int> const& ranks_per_node, double there);

} // namespace tools::model
