// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/record.hpp>

#include <cstddef>

namespace imb::mt {

/// What figures are made of, beside a record in which every instance counts that did something: a thread of a rank.
struct scale {
    double time_divisor = 1;     // f_t
    double bandwidth_factor = 1; // f_bw
    std::size_t message = 0;     // bytes
    int threads = 1;
};

/// Microseconds of an instance's mean.
struct times {
    double min;
    double max;
    double avg;
};

inline times times_of(sonde::record const& r, scale const& s) {
    auto const shown = [&](sonde::seconds t) { return 1e6 * t.count() / s.time_divisor; };
    return {shown(r.over_ranks.min), shown(r.over_ranks.max), shown(r.over_ranks.mean)};
}

/// The size of a line: what all threads of a rank send.
inline std::size_t bytes_of(scale const& s) { return s.message * static_cast<std::size_t>(s.threads); }

/// 10^6 bytes a second of a rank, of the slowest instance.
inline double megabytes_of(sonde::record const& r, scale const& s) {
    return static_cast<double>(bytes_of(s)) * s.bandwidth_factor / times_of(r, s).max;
}

/// 10^6 bytes a second of all pairs, were all as slow as the slowest.
inline double megabytes_of_pairs(sonde::record const& r, scale const& s) {
    return static_cast<double>(s.message) * (r.initiators / 2) / times_of(r, s).max;
}

/// Messages a second of all pairs, whole ones, from the mean time.
inline long long rate_of_pairs(sonde::record const& r, scale const& s) {
    return static_cast<long long>((r.initiators / 2) * s.time_divisor / r.over_ranks.mean.count());
}

} // namespace imb::mt
