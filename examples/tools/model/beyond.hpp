// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "fitting.hpp"

#include <string>
#include <vector>

namespace tools::model {

/// What is predicted where nothing was measured, a line each: beyond the sizes of a fit; of more pairs than were
/// measured; between the last size of one protocol and the first of the next.
std::vector<std::string> beyond(fit_result const& f, std::vector<occasion> const& at);

} // namespace tools::model
