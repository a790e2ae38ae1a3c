// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "fitting.hpp"

#include <sonde/report/figure.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tools::model {

/// Points measured, with their intervals, and where it is determined the model's curve, with its parameters in the
/// legend: for each number of pairs, and for each range of sizes, one. Times, or the bandwidth where a model is about
/// that.
sonde::figure figure_of(fit_result const& f);

/// Of times that were predicted.
sonde::figure figure_of(kind which, std::vector<observation> const& predicted);

} // namespace tools::model
