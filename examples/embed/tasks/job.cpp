// SPDX-License-Identifier: BSL-1.0

// A separate file, so that all callers use one compiled copy: rounding is the same everywhere, and no call whose result
// is unused is optimized away.

#include "job.hpp"

#include <algorithm>

namespace tasks {

namespace {

/// Iterations of z^2 + c until z leaves the circle of radius 2, beyond which it cannot come back.
std::int64_t escape(double x, double y, std::int64_t limit) {
    double a = 0, b = 0;
    std::int64_t n = 0;
    while (n != limit && a * a + b * b <= 4) {
        auto const next = a * a - b * b + x;
        b = 2 * a * b + y;
        a = next;
        ++n;
    }
    return n;
}

} // namespace

std::int64_t iterations(picture const& of, std::int64_t task) {
    auto const begin = task * of.block, end = std::min(begin + of.block, of.pixels());
    std::int64_t sum = 0;
    for (auto pixel = begin; pixel < end; ++pixel) { // the picture is asymmetric, so that no symmetry hides an error
        auto const x = -2.1 + 2.8 * static_cast<double>(pixel % of.columns) / of.columns;
        auto const y = -1.3 + 2.4 * static_cast<double>(pixel / of.columns) / of.rows;
        sum += escape(x, y, of.limit);
    }
    return sum;
}

std::int64_t iterate(std::int64_t times) { return escape(-1, 0, times); } // 0, -1, 0, -1 ...

} // namespace tasks
