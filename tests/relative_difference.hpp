// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>

/// |a - b| relative to the larger of them; 0 if both are 0.
inline double relative_difference(double a, double b) {
    auto const scale = std::max(std::fabs(a), std::fabs(b));
    return scale == 0 ? 0 : std::fabs(a - b) / scale;
}
