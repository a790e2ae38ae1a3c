// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "fitting.hpp"

#include <string>
#include <vector>

namespace tools::model {

/// Of every size: measured, by the model, and the difference, relative; "-" where the data do not determine it.
std::vector<std::string> time_table(fit_result const& f);

/// The time and the bandwidth of each.
std::vector<std::string> prediction_table(kind which, std::vector<observation> const& times);

} // namespace tools::model
