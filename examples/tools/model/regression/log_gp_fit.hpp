// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/model/regression/fit_result.hpp"

#include <sonde/model.hpp>

#include <vector>

namespace tools::regression {

/// Fits L, o_s, o_r, g and G for each range of sizes that the data show (Hoefler, Lichei, Rehm, IPDPS 2007).
///
/// "g" (s), "G" (s/B): the line of (PRTT(n, 0, s) - PRTT(1, 0, s)) / (n - 1) as a function of s - 1, with breakpoints
/// by segmented regression (`find_segments`). Sizes whose interval is not longer than an overhead are excluded; if too
/// few sizes are left, g and G are upper bounds. "o_s", "o_r" (s): (PRTT(n, d, s) - PRTT(1, 0, s)) / (n - 1) - d, and
/// the same for the receiver, at the smallest size of the range. If the overheads change with the size, "o_s per byte"
/// and "o_r per byte" (s/B) are their growth. "L" (s): the latency at the smallest size. It is an upper bound if an
/// overhead is not determined, or if o_s + (s - 1) G + L + o_r differs from half of PRTT(1, 0, s) at other sizes. After
/// the first range, "breakpoint" (B) is the smallest size.
///
/// Sizes with a time that is an isolated outlier are left out and listed in the note. residual_rms covers the times of
/// one message and of n messages in ranges with all parameters determined. In other ranges it covers the interval,
/// relative to the measured times. Throws fit_error for fewer than three or more than 2000 sizes, for a size below one
/// byte, for a series of one message, for a series that takes no longer than its first message, and for an invalid
/// point.
[[nodiscard]] fit_result<piecewise_log_gp> fit(std::vector<tools::model_point<log_gp>> const& points);

} // namespace tools::regression
