// SPDX-License-Identifier: BSL-1.0
#include "tools/compare/change_points.hpp"

#include "tools/rank_sum.hpp"

#include <algorithm>

namespace tools {

namespace {

using sonde::seconds;
using course = std::span<seconds const>;

/// Values from `first` up to `last`, against the others of a segment.
struct part {
    std::size_t first, last;

    std::size_t size() const { return last - first; }
};

/// The parts before each place of a single change.
std::vector<part> beginnings(std::size_t n) {
    std::vector<part> all;
    for (std::size_t last = 1; last < n; ++last) all.push_back({0, last});
    return all;
}

/// The parts between all places of two changes.
std::vector<part> inner_parts(std::size_t n) {
    std::vector<part> all;
    for (std::size_t first = 1; first < n; ++first)
        for (auto last = first + 1; last < n; ++last) all.push_back({first, last});
    return all;
}

/// Rank-sum tests of the parts of a segment.
class part_tests {
public:
    explicit part_tests(course values) : part_tests{doubled_ranks(values)} {}

    /// Sum, over the parts, of the probabilities of a p as small as the smallest. The probability that a segment
    /// without a change has a part of so small a p is at most this sum.
    double corrected_smallest_p(std::vector<part> const& parts) const {
        double smallest = 1, sum = 0;
        for (auto const& at : parts) smallest = std::min(smallest, p(at));
        for (auto const& at : parts) sum += distribution_.probability_of(at.size(), smallest);
        return sum;
    }

private:
    explicit part_tests(std::vector<std::size_t> const& ranks) : distribution_{ranks, ranks.size()}, sums_{0} {
        for (auto const rank : ranks) sums_.push_back(sums_.back() + rank);
    }
    double p(part const& at) const { return distribution_.p(at.size(), sums_[at.last] - sums_[at.first]); }

    rank_sum_distribution distribution_;
    std::vector<std::size_t> sums_; // of the doubled ranks before each value
};

/// Sum of the absolute deviations from the median.
double deviation(std::vector<seconds>& values) {
    auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    double sum = 0;
    for (auto const v : values) sum += (v > *middle ? v - *middle : *middle - v).count();
    return sum;
}

/// Sum of the absolute deviations from the medians of a part and of the other values.
double deviation(course values, part const& at) {
    auto const first = values.begin() + static_cast<std::ptrdiff_t>(at.first);
    auto const last = values.begin() + static_cast<std::ptrdiff_t>(at.last);
    std::vector<seconds> inside(first, last), outside(values.begin(), first);
    outside.insert(outside.end(), last, values.end());
    return deviation(inside) + deviation(outside);
}

part least_deviation(course values, std::vector<part> const& parts) {
    auto best = parts.front();
    auto least = deviation(values, best);
    for (auto const& at : parts)
        if (auto const d = deviation(values, at); d < least) {
            least = d;
            best = at;
        }
    return best;
}

class segmentation {
public:
    segmentation(course values, double alpha, std::size_t values_of_all)
        : values_{values}, alpha_{alpha}, values_of_all_{static_cast<double>(values_of_all)} {}

    /// Adds the change points of a segment, in order.
    void add(part const& segment, std::vector<change_point>& to) const {
        auto const n = segment.size();
        if (n < 2) return;
        auto const values = values_.subspan(segment.first, n);
        part_tests const tests{values};
        for (auto const& parts : {beginnings(n), inner_parts(n)}) {
            auto const p = 2 * tests.corrected_smallest_p(parts) * values_of_all_ / static_cast<double>(n);
            if (parts.empty() || p > alpha_) continue;
            auto const [first, last] = least_deviation(values, parts);
            return divide(segment, {segment.first + first, segment.first + last}, p, to);
        }
    }

private:
    void divide(part const& segment, part const& inner, double p, std::vector<change_point>& to) const {
        add({segment.first, inner.first}, to);
        if (inner.first != segment.first) to.push_back({inner.first, p});
        add(inner, to);
        to.push_back({inner.last, p});
        add({inner.last, segment.last}, to);
    }

    course values_;
    double alpha_, values_of_all_;
};

} // namespace

std::vector<change_point> change_points(course values, double alpha, std::size_t values_of_all) {
    std::vector<change_point> found;
    segmentation{values, alpha, values_of_all}.add({0, values.size()}, found);
    return found;
}

std::size_t values_needed(std::size_t series, double alpha) {
    std::size_t n = 2;
    // The smallest p is that of two halves. An odd number of values has two such places.
    while (2 * static_cast<double>(series * (1 + n % 2)) * smallest_p(n / 2, n - n / 2) > alpha) ++n;
    return n;
}

std::optional<ratio_range> ratio_interval(course before, course after) {
    std::vector<double> ratios;
    for (auto const b : before)
        for (auto const a : after) {
            if (b <= seconds{}) return std::nullopt;
            ratios.push_back(a / b);
        }
    std::sort(ratios.begin(), ratios.end());
    std::vector<std::size_t> untied;
    while (untied.size() != before.size() + after.size()) untied.push_back(2 * (untied.size() + 1));
    auto const m = std::min(before.size(), after.size());
    rank_sum_distribution const distribution{untied, m};
    std::size_t refused = 0; // pairs on each side
    while (2 * refused < ratios.size() && distribution.p(m, m * (m + 1) + 2 * refused) <= 0.05) ++refused;
    if (refused == 0) return std::nullopt;
    return ratio_range{ratios[refused - 1], ratios[ratios.size() - refused]};
}

} // namespace tools
