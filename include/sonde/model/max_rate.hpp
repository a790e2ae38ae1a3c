// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/units.hpp>

#include <algorithm>

namespace sonde::model {

/// Max-rate model. k processes of a node send n bytes each at the same time through a shared network interface:
/// T(n, k) = alpha + k n / min(R_N, k R_C) (Gropp, Olson, Samfass, EuroMPI 2016).
struct max_rate {
    seconds alpha{};
    rate process_rate{}; // R_C, of one process alone
    rate node_rate{};    // R_N, of all processes of the node together

    /// Observation for a fit: time of the slowest of k concurrent pairs.
    struct point {
        bytes size;
        double pairs;
        seconds time;
    };

    constexpr rate limit(double k) const { return std::min(node_rate, k * process_rate); }
    constexpr seconds time(bytes n, double k) const { return alpha + k * n / limit(k); }
    /// Bandwidth of the node: k n / T.
    constexpr rate bandwidth(bytes n, double k) const { return k * n / time(n, k); }
    /// Number of processes that saturates the node: R_N / R_C.
    constexpr double saturation() const { return node_rate / process_rate; }
    /// Message size that reaches half of the limit: alpha min(R_N, k R_C) / k.
    constexpr bytes n_half(double k) const { return 1 / k * (limit(k) * alpha); }
};

} // namespace sonde::model
