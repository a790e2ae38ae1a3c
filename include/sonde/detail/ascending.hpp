// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/time.hpp>

#include <cstdlib>
#include <vector>

namespace sonde::detail {

/// The times, sorted. By qsort: <algorithm> would cost every including file 0.05 s, and this runs after the clock.
inline std::vector<seconds> ascending(std::vector<seconds> times) {
    if (times.empty()) return times; // data() may be null, which qsort must not be given
    std::qsort(times.data(), times.size(), sizeof(seconds), [](void const* a, void const* b) {
        auto const x = *static_cast<seconds const*>(a), y = *static_cast<seconds const*>(b);
        return static_cast<int>(y < x) - static_cast<int>(x < y);
    });
    return times;
}

} // namespace sonde::detail
