// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "measure_places.hpp"
#include "measure_request.hpp"

#include <string>

namespace tools::model {

/// The lines above the table: which ranks measure what, how they begin, and where it is not what a model is of.
std::string heading(measure_request const& asked, places const& where, int ranks);

/// The line below it: what to do with the records.
std::string closing(measure_request const& asked);

} // namespace tools::model
