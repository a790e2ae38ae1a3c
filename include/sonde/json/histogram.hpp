// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/histogram.hpp>
#include <sonde/json/values.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace sonde {

/// {"buckets": [[number, count], ..], "sum", "longest", "shortest"}, the buckets that are not empty, and in whole ticks
/// of a picosecond what is exact.
inline void to_json(json& j, histogram const& h) {
    std::vector<double> sums(histogram::sums);
    std::array<double, 2> extremes{};
    h.put_sums(std::span<double, histogram::sums>{sums});
    h.put_extremes(extremes);
    auto buckets = json::array();
    for (std::size_t i = 0; i != histogram::buckets; ++i)
        if (sums[i] != 0) buckets.push_back({i, sums[i]});
    j = {{"buckets", buckets}, {"sum", sums.back()}, {"longest", extremes[0]}, {"shortest", -extremes[1]}};
}

inline void from_json(json const& j, histogram& h) {
    std::vector<double> sums(histogram::sums);
    for (auto const& [bucket, count] : j.at("buckets").get<std::vector<std::pair<std::size_t, double>>>())
        sums.at(bucket) = count;
    sums.back() = j.at("sum").get<double>();
    std::array<double, 2> const extremes{j.at("longest").get<double>(), -j.at("shortest").get<double>()};
    h = histogram::of(std::span<double const, histogram::sums>{sums}, extremes);
}

} // namespace sonde
