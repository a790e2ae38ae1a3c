// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/record.hpp>
#include <sonde/time.hpp>

#include <cstddef>

namespace tools::model {

/// The time that stands for the sum of two pairs' bandwidths: the harmonic mean of their times, of which the longer one
/// and the mean are known.
constexpr sonde::seconds both_pairs(sonde::seconds slower, sonde::seconds mean) {
    return slower * ((2 * mean - slower) / mean);
}

/// Samples become those of the sum of bandwidths, which is what one adds up of two tables of the Intel MPI Benchmarks.
/// Needs a record of two initiators, with sample means; these are gone then.
inline void add_bandwidths(sonde::record& r) {
    for (std::size_t i = 0; i != r.series.size(); ++i) r.series[i] = both_pairs(r.series[i], r.sample_means[i]);
    r.sample_means.clear();
}

} // namespace tools::model
