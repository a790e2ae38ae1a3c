// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace tools {

/// Place in a series where its level changes.
struct change_point {
    std::size_t at; // index of the first value of the new level
    double p;       // of the test that found it, corrected for all places and all series
};

/// Change points of a series, in order. `values_of_all` is the number of values of all series that are judged together:
/// if the values of each series that has no change are exchangeable, the probability that any of these series gets a
/// change point is at most alpha, for any dependence between the series.
///
/// A segment, at first the whole series, is tested for one change (the values up to a place against the others), then
/// for two (the values of an inner part against the others, as in circular binary segmentation: Olshen and Venkatraman,
/// Biostatistics 5, 2004), each by rank-sum tests at all places. The smallest p is corrected to the sum, over all
/// places, of the probabilities of so small a p, and doubled, for the two kinds of changes. It is compared with the
/// segment's part of alpha, which is its part of the values of all series (Meinshausen, Biometrika 95, 2008), so that
/// the parts of disjoint segments sum up to at most alpha. The change is where the sum of absolute deviations from the
/// medians of both parts is least. It divides the segment, whose parts are tested likewise.
std::vector<change_point> change_points(std::span<sonde::seconds const> values, double alpha,
                                        std::size_t values_of_all);

/// Fewest values per series in which a change can be found at all, if that many series are judged together.
std::size_t values_needed(std::size_t series, double alpha);

/// Range of a ratio.
struct ratio_range {
    double low, high;
};

/// 95 % confidence interval of the ratio of a value after a change to a value before it, for any distribution that is
/// scaled by the change: the ratios of all pairs that the rank-sum test does not refuse (Hodges and Lehmann, Annals of
/// Mathematical Statistics 34, 1963). Empty if a value before is not positive, or for too few values.
std::optional<ratio_range> ratio_interval(std::span<sonde::seconds const> before,
                                          std::span<sonde::seconds const> after);

} // namespace tools
