// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/model/fit/fit.hpp"
#include "tools/model/fit/prediction.hpp"

#include <string>
#include <vector>

namespace tools::model {

/// Text of a fit: parameters with intervals and status, quality of the fit, and a table of all measured sizes with the
/// model's times.
std::vector<std::string> fit_text(fit_result const& f, sonde::model::latency_form form);

/// Warnings about a fit, one line each: the model does not describe the data, or otherwise each parameter that is not
/// determined.
std::vector<std::string> fit_warnings(fit_result const& f);

/// Text of a prediction: the model, and a table of times and bandwidths.
std::vector<std::string> prediction_text(prediction const& p);

/// Warnings about predictions outside of the measured range, one line each: other sizes, more pairs, sizes between the
/// last of one protocol and the first of the next.
std::vector<std::string> extrapolation_warnings(fit_result const& f, std::vector<workload> const& at);

} // namespace tools::model
