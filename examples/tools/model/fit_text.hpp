// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "fitting.hpp"

#include <string>
#include <vector>

namespace tools::model {

/// Parameters with their intervals and what the data say of them, the quality of the fit, and every size measured and
/// by the model.
std::vector<std::string> fit_text(fit_result const& f, sonde::model::latency_form form);

/// Why not all of it may be believed, a line each: that the model does not describe the data, or else which parameters
/// they do not determine.
std::vector<std::string> doubts(fit_result const& f);

/// "determined", "at least this", "at most this", "not determined by these data".
char const* words_for(sonde::model::parameter_status s);

} // namespace tools::model
