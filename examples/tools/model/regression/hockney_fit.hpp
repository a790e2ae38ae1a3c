// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/model/regression/fit_result.hpp"

#include <sonde/model.hpp>

#include <vector>

namespace tools::regression {

/// Fits Hockney's model piecewise, with as many ranges of sizes as the data justify.
///
/// Isolated outliers are left out and listed in the note (`isolated_outliers`). Breakpoints are found by segmented
/// regression (`find_segments`); a segment has at least 4 points. Confidence intervals follow from the residuals of the
/// segment and from the resolution of the times. The relative size of the residuals is taken to be equal for all points
/// of the segment. Parameters of each segment: "alpha" (s), "r_inf" (B/s), "n_half" (B), and, after the first segment,
/// "breakpoint" (B), its smallest size. Points of long messages alone give only an upper bound of alpha; points of tiny
/// messages give only a lower bound of r_inf. If the line does not describe a segment, only the breakpoint of the
/// segment is determined. The note gives T(0) if it was measured.
///
/// Throws fit_error for fewer than 3 points, for a single size, for more than 2000 sizes, and for an invalid point.
[[nodiscard]] fit_result<piecewise_hockney> fit(std::vector<tools::model_point<hockney>> const& points);

} // namespace tools::regression
