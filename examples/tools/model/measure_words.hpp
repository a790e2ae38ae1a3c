// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "measure_places.hpp"
#include "measure_request.hpp"
#include "measure_tasks.hpp"

#include <string>
#include <vector>

namespace tools::model {

/// The lines above the table: which ranks measure what, how they begin, and where it is not what a model is of.
std::string heading(measure_request const& asked, places const& where, int ranks);

/// What measurements on one node are not; empty for a model that they are as good for.
std::string on_one_node(kind what);

/// The lines below it: which points ended by --time before they were as precise as asked, if any; and what to do with
/// the records.
std::string closing(measure_request const& asked, std::vector<task> const& late = {});

} // namespace tools::model
