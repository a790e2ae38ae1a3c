// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/units.hpp>

#include <algorithm>

namespace sonde::model {

/// k processes of a node send n bytes each at the same time, and the node's interface is shared:
/// T(n, k) = alpha + k n / min(R_N, k R_C) (Gropp, Olson, Samfass, EuroMPI 2016).
struct max_rate {
    seconds alpha{};
    rate process{}; // R_C, of one alone
    rate node{};    // R_N, of all together

    /// What is fitted: the time of the slowest of k pairs.
    struct point {
        bytes size;
        double pairs;
        seconds time;
    };

    constexpr rate limit(double k) const { return std::min(node, k * process); }
    constexpr seconds time(bytes n, double k) const { return alpha + k * n / limit(k); }
    /// Of the node: k n / T.
    constexpr rate bandwidth(bytes n, double k) const { return k * n / time(n, k); }
    /// So many processes saturate the node: R_N / R_C.
    constexpr double saturation() const { return node / process; }
    /// At this size half of the limit is reached: alpha min(R_N, k R_C) / k.
    constexpr bytes n_half(double k) const { return 1 / k * (limit(k) * alpha); }
};

} // namespace sonde::model
