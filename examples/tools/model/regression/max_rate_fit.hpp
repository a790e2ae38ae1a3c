// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/model/regression/fit_result.hpp"

#include <sonde/model.hpp>

#include <vector>

namespace tools::regression {

/// Fits the max-rate model to points of all sizes and numbers of pairs together, with the best of all saturation
/// points. Parameters: "alpha" (s), "R_C", "R_N" (B/s), "k_sat".
///
/// R_N is a lower bound if no number of pairs clearly saturates the node. R_C is a lower bound if every number of pairs
/// may saturate it. Both are lower bounds if times hardly grow with the size. Bounds hold with a probability of 97.5 %.
/// Throws fit_error for fewer than four points, for a single size, and for an invalid point.
[[nodiscard]] fit_result<max_rate> fit(std::vector<tools::model_point<max_rate>> const& points);

/// Fits the multi-mode PingPong model, with the best of all C. Parameters: "C" (B), "B_r" (B/s), "T_l" (s).
///
/// T_l needs two sizes below C, and C needs sizes above C. With sizes on one side only, they are not determined. The
/// interval of each parameter holds for all values of the other parameters. Throws fit_error for fewer than four points
/// or three sizes, and for an invalid point.
[[nodiscard]] fit_result<multi_ping_pong> fit(std::vector<tools::model_point<multi_ping_pong>> const& points,
                                              latency_form form = latency_form::time_line);

} // namespace tools::regression
