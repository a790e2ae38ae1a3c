// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/line_costs.hpp>
#include <sonde/model/fit/two_lines.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace sonde::model {

/// The places where segments begin: the first at 0.
using beginnings = std::vector<std::size_t>;

/// The cheapest ways to split points into 1, 2, .. `most` segments of a line each, by dynamic programming: [k - 1] is
/// the one of k segments. Fewer where there are not enough points.
class cheapest_splits {
public:
    cheapest_splits(line_costs const& costs, std::size_t most) : costs_{costs} {
        for (std::size_t k = 0; k != most && (k == 0 || cost(k) < none); ++k) add_segment();
        while (sums_.size() > 1 && !(cost(sums_.size()) < none)) sums_.pop_back();
    }
    std::size_t most() const { return sums_.size(); }
    double cost(std::size_t segments) const { return sums_[segments - 1][costs_.size()]; }
    beginnings of(std::size_t segments) const {
        beginnings all(segments);
        auto end = costs_.size();
        for (auto k = segments; k-- != 0;) all[k] = end = last_begins_[k][end];
        return all;
    }

private:
    static constexpr double none = std::numeric_limits<double>::infinity();

    void add_segment() {
        auto const n = costs_.size();
        std::vector<double> sums(n + 1, none);
        std::vector<std::size_t> begins(n + 1, 0);
        for (std::size_t end = 1; end <= n; ++end)
            for (std::size_t first = 0; first != end; ++first) {
                auto const sum = before(first) + costs_(first, end);
                if (!(sum < sums[end])) continue;
                sums[end] = sum;
                begins[end] = first;
            }
        sums_.push_back(std::move(sums));
        last_begins_.push_back(std::move(begins));
    }
    /// What the segments that are already there cost on the points before this one.
    double before(std::size_t first) const {
        if (sums_.empty()) return first == 0 ? 0 : none;
        return sums_.back()[first];
    }

    line_costs const& costs_;
    std::vector<std::vector<double>> sums_;             // of k segments, up to an end
    std::vector<std::vector<std::size_t>> last_begins_; // the last of them
};

namespace detail {

/// How likely noise alone makes the sum of squares shrink to `ratio` by 2 `more` parameters, where it leaves so many
/// degrees of freedom: the tail of the F distribution, an incomplete beta function with a whole argument.
inline double chance_by_noise(double ratio, std::size_t more, double freedom) {
    double term = std::pow(ratio, freedom / 2), sum = 0;
    for (std::size_t i = 0; i != more; ++i) {
        auto const j = static_cast<double>(i);
        sum += term;
        term *= (freedom / 2 + j) / (j + 1) * (1 - ratio);
    }
    return sum;
}

/// So many ways there are to place more breaks among points.
inline double ways(std::size_t points, std::size_t more) {
    double product = 1;
    for (std::size_t i = 0; i != more; ++i) product *= static_cast<double>(points - i) / static_cast<double>(i + 1);
    return product;
}

inline constexpr double search_level = 0.002; // of all places together: of all numbers of breaks it stays below 0.01
inline constexpr double check_level = 0.01;   // of a break that was found

inline bool is_worth(cheapest_splits const& splits, line_costs const& costs, std::size_t from, std::size_t to) {
    auto const points = costs.points(0, costs.size()).size();
    auto const freedom = [&](std::size_t segments) {
        return static_cast<double>(points) - 2.0 * static_cast<double>(segments);
    };
    auto const cost = [&](std::size_t segments) { // no segment follows rounding
        return std::max(splits.cost(segments), costs.rounding() * freedom(segments));
    };
    if (!(freedom(to) > 0)) return false;
    return chance_by_noise(std::min(1.0, cost(to) / cost(from)), to - from, freedom(to)) *
               ways(costs.size(), to - from) <
           search_level;
}

/// How likely it is that the segments on both sides of a break have one line (`chance_of_one_line`), times the places
/// where the break could be.
inline double chance_of_one(line_costs const& costs, beginnings const& begins, std::size_t segment) {
    auto const from = begins[segment - 1];
    auto const to = segment + 1 == begins.size() ? costs.size() : begins[segment + 1];
    return static_cast<double>(to - from) *
           chance_of_one_line(costs.points(from, begins[segment]), costs.points(begins[segment], to));
}

/// The first of the segments, after the first, that is least likely to be one; 0 where all are.
inline std::size_t weakest(line_costs const& costs, beginnings const& begins) {
    std::size_t found = 0;
    auto level = check_level;
    for (std::size_t k = 1; k != begins.size(); ++k)
        if (auto const chance = chance_of_one(costs, begins, k); !(chance < level)) found = k, level = chance;
    return found;
}

} // namespace detail

/// Where the segments begin that data ask for: one more, or several at once, where an F test says that in all but 0.2 %
/// of cases noise alone would not do as well at any place among the points; and whose lines differ by their own errors.
///
/// The first test is of normal errors, independent of each other and as large everywhere. The second one takes the
/// errors of each segment from itself, and none of its points may be the only one that the difference rests on: noise
/// that is not the same for all sizes, or has outliers, makes few segments.
[[nodiscard]] inline beginnings segments_of(line_costs const& costs) {
    constexpr std::size_t most = 6; // protocols of a library, and caches
    cheapest_splits const splits{costs, most};
    std::size_t found = 1;
    for (std::size_t to = 2; to <= splits.most(); ++to)
        if (detail::is_worth(splits, costs, found, to)) found = to;
    auto begins = splits.of(found);
    while (auto const k = detail::weakest(costs, begins)) {
        begins.erase(begins.begin() + static_cast<std::ptrdiff_t>(k));
        auto const cheapest = splits.of(begins.size());
        if (detail::weakest(costs, cheapest) == 0) return cheapest;
    }
    return begins;
}

} // namespace sonde::model
