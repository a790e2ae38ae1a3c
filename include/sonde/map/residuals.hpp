// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

/// The time of a message, or of any other transfer, from each rank to each other rank: `[from * ranks + to]`. A time
/// that is not positive, or not finite, was not measured.
struct pair_times {
    int ranks = 0;                // size of the group
    std::vector<seconds> times{}; // of each ordered pair, row by row
    seconds resolution{};         // smallest difference of two times: tick of the clock over the batch; 0: unknown

    explicit pair_times(int of_ranks = 0)
        : ranks{of_ranks}, times(static_cast<std::size_t>(of_ranks) * static_cast<std::size_t>(of_ranks)) {}
    /// The time from one rank to another. Throws std::out_of_range for a rank that there is not.
    seconds& at(int from, int to) { return times[index(from, to)]; }
    /// The time from one rank to another.
    seconds at(int from, int to) const { return times[index(from, to)]; }
    /// True if the time is positive and finite.
    bool was_measured(int from, int to) const {
        auto const time = at(from, to).count();
        return detail::is_finite(time) && time > 0;
    }

private:
    std::size_t index(int from, int to) const {
        for (auto const rank : {from, to})
            if (rank < 0 || rank >= ranks)
                throw std::out_of_range{"sonde::pair_times: there is no rank " + std::to_string(rank) + " of " +
                                        std::to_string(ranks)};
        return static_cast<std::size_t>(from) * static_cast<std::size_t>(ranks) + static_cast<std::size_t>(to);
    }
};

namespace detail {

/// The median; of an even number of values, the mean of the middle two. There must be at least one value.
inline double middle_of(std::vector<double> values) {
    auto const half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), half, values.end());
    if (values.size() % 2 == 1) return *half;
    return (*half + *std::max_element(values.begin(), half)) / 2;
}

/// The median; of an even number of values, the lower of the middle two. There must be at least one value.
inline double lower_middle_of(std::vector<double> values) {
    auto const half = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), half, values.end());
    return *half;
}

/// The median of logarithms; the lower of the middle two if they differ by more than a factor of two, because half of
/// the times are then slow.
inline double center_of(std::vector<double> logarithms) {
    auto const lower = lower_middle_of(logarithms), middle = middle_of(std::move(logarithms));
    return 2 * (middle - lower) > 0.7 ? lower : middle;
}

/// Ratio of the standard deviation of a normal distribution to its median absolute deviation (Hampel 1974).
inline constexpr double normal_from_median = 1.4826;

/// Correction of the median absolute deviation of n values (Croux and Rousseeuw, COMPSTAT 1992, table 1).
inline double small_sample_correction(std::size_t n) {
    constexpr double few[] = {1, 1, 1.196, 1.495, 1.363, 1.206, 1.200, 1.140, 1.129, 1.107};
    return n < std::size(few) ? few[n] : static_cast<double>(n) / (static_cast<double>(n) - 0.8);
}

/// Standard deviation of normal values, estimated from their median absolute deviation. Outliers do not spoil the
/// estimate, even if nearly half of the values are outliers.
inline double robust_deviation(std::vector<double> values, double center) {
    for (auto& v : values) v = std::fabs(v - center);
    auto const correction = small_sample_correction(values.size());
    return normal_from_median * correction * middle_of(std::move(values));
}

/// The smallest difference of two measured times, if some are equal; 0 for exact times. Times that differ by a rounding
/// error are equal.
inline double smallest_difference(pair_times const& t) {
    constexpr double rounding = 1e-9; // relative
    std::vector<double> times;
    for (auto const time : t.times)
        if (is_finite(time.count()) && time.count() > 0) times.push_back(time.count());
    std::sort(times.begin(), times.end());
    bool are_equal = false;
    double smallest = 0;
    for (std::size_t i = 1; i < times.size(); ++i) {
        auto const difference = times[i] - times[i - 1];
        if (difference <= rounding * times[i]) are_equal = true;
        else if (smallest == 0 || difference < smallest) smallest = difference;
    }
    return are_equal ? smallest : 0;
}

/// The logarithms of all times, relative to the center of their class. Pairs within groups are one class, and pairs
/// between groups are another.
///
/// The center of a class is the median over all ranks of the median of each rank's pairs. In a small group a slow rank
/// is in half of all pairs, but in few pairs of each other rank. For the same reason the noise is the median over all
/// ranks of the robust deviation of each rank's pairs. More than half of all readings of a coarse clock may be equal.
/// The noise therefore includes half a tick, the largest distance between a time and its reading.
///
/// If the resolution of the times is not known, it is their smallest difference, unless no times are equal, or this
/// difference is above a third of the smallest center: equal times then have other reasons, such as a simulator.
class residuals {
public:
    /// `group_of_rank` is empty, or has for each rank a number from 0 and below `t.ranks`.
    residuals(pair_times const& t, std::vector<int> const& group_of_rank)
        : ranks_{t.ranks}, group_{group_of_rank.empty() ? std::vector<int>(rank_count()) : group_of_rank},
          r_(t.times.size()), measured_(t.times.size()) {
        groups_ = *std::max_element(group_.begin(), group_.end()) + 1;
        for (int from = 0; from != ranks_; ++from)
            for (int to = 0; to != ranks_; ++to) {
                auto const i = index(from, to);
                measured_[i] = t.was_measured(from, to);
                if (measured_[i]) r_[i] = std::log(t.times[i].count());
            }
        for (auto const within : {true, false}) subtract_center(within);
        auto const is_known = t.resolution > seconds{};
        resolution_ = (is_known ? t.resolution.count() : smallest_difference(t)) / smallest_center_;
        if (!is_known && resolution_ > longest_unknown_tick) resolution_ = 0;
        noise_ = std::max(deviation_of_pairs(), 1e-9);
    }

    int ranks() const { return ranks_; }
    int groups() const { return groups_; }
    int group_of(int rank) const { return group_[static_cast<std::size_t>(rank)]; }
    bool is_within(int a, int b) const { return group_of(a) == group_of(b); }
    double noise() const { return noise_; } // standard deviation of a pair; positive
    /// Degrees of freedom of the noise: the number of pairs, minus 1 for the center, and minus `ranks` - 1 in each
    /// direction for the differences of the ranks from it; at least 1.
    double degrees_of_freedom() const {
        auto const pairs = std::count(measured_.begin(), measured_.end(), true);
        return static_cast<double>(std::max<std::ptrdiff_t>(pairs - std::ptrdiff_t{2} * ranks_ + 1, 1));
    }
    /// The resolution of the times, relative to the smallest center.
    double resolution() const { return resolution_; }
    /// Standard deviation of a rounding error that is uniform within the resolution; 1e-9 for exact times.
    double rounding_error() const { return std::max(resolution_ / std::sqrt(12.), 1e-9); }
    /// The residual of a pair; empty if the pair was not measured.
    std::optional<double> at(int from, int to) const {
        auto const i = index(from, to);
        return measured_[i] ? std::optional{r_[i]} : std::nullopt;
    }
    /// Residuals of the measured messages from a rank (`from`) or to it.
    std::vector<double> of(int rank, bool from) const {
        std::vector<double> found;
        for (int peer = 0; peer < ranks_; ++peer)
            if (auto const r = from ? at(rank, peer) : at(peer, rank)) found.push_back(*r);
        return found;
    }

private:
    std::size_t rank_count() const { return static_cast<std::size_t>(ranks_); }
    std::size_t index(int from, int to) const {
        return static_cast<std::size_t>(from) * rank_count() + static_cast<std::size_t>(to);
    }
    void subtract_center(bool within) {
        std::vector<double> medians;
        for (int a = 0; a < ranks_; ++a) {
            std::vector<double> pairs;
            for (int b = 0; b < ranks_; ++b)
                for (auto const value : {at(a, b), at(b, a)})
                    if (value && is_within(a, b) == within) pairs.push_back(*value);
            if (!pairs.empty()) medians.push_back(center_of(std::move(pairs)));
        }
        if (medians.empty()) return;
        auto const center = center_of(std::move(medians));
        smallest_center_ = std::min(smallest_center_, std::exp(center));
        for (int a = 0; a < ranks_; ++a)
            for (int b = 0; b < ranks_; ++b)
                if (is_within(a, b) == within) r_[index(a, b)] -= center;
    }
    double deviation_of_pairs() const {
        std::vector<double> deviations;
        for (int rank = 0; rank < ranks_; ++rank)
            for (auto const from : {true, false}) {
                auto const all = of(rank, from);
                if (all.size() < 2) continue;
                auto const center = middle_of(all);
                for (auto const r : all)
                    deviations.push_back(small_sample_correction(all.size()) * std::fabs(r - center));
            }
        auto const read = deviations.empty() ? 0 : middle_of(std::move(deviations));
        return normal_from_median * (read + resolution_ / 2);
    }

    static constexpr double longest_unknown_tick = 0.34; // relative to the smallest center

    int ranks_;
    int groups_ = 1;
    std::vector<int> group_;
    std::vector<double> r_;      // 0 if the pair was not measured
    std::vector<bool> measured_; // pairs
    double smallest_center_ = std::numeric_limits<double>::max();
    double resolution_ = 0;
    double noise_ = 0;
};

/// Groups of ranks by the logarithms of the times of their pairs, for `find_rank_groups`.
class rank_grouping {
public:
    explicit rank_grouping(pair_times const& times)
        : ranks_{static_cast<std::size_t>(times.ranks)}, resolution_{times.resolution.count()} {
        for (int a = 0; a < times.ranks; ++a)
            for (int b = 0; b != a; ++b)
                if (times.was_measured(a, b) && times.was_measured(b, a))
                    pairs_.push_back({std::log((times.at(a, b) * (times.at(b, a) / seconds{1})).count()) / 2,
                                      static_cast<std::size_t>(a), static_cast<std::size_t>(b)});
        std::sort(pairs_.begin(), pairs_.end(), [](pair const& a, pair const& b) { return a.time < b.time; });
    }

    /// Tries the largest gaps between the times of pairs as limits between near and distant pairs.
    std::vector<int> groups() const {
        constexpr std::size_t tried = 8;
        constexpr double least = 0.1; // logarithm: smaller gaps are noise
        std::vector<std::size_t> gaps(pairs_.empty() ? 0 : pairs_.size() - 1);
        std::iota(gaps.begin(), gaps.end(), std::size_t{1});
        auto const last = gaps.begin() + static_cast<std::ptrdiff_t>(std::min(tried, gaps.size()));
        std::partial_sort(gaps.begin(), last, gaps.end(), [&](auto a, auto b) { return gap(a) > gap(b); });
        for (auto at = gaps.begin(); at != last && gap(*at) > least; ++at)
            if (gap(*at) > one_tick_above(*at - 1))
                if (auto found = groups_below(*at)) return *found;
        return std::vector<int>(ranks_);
    }

private:
    struct pair {
        double time;
        std::size_t a, b;
    };

    double gap(std::size_t at) const { return pairs_[at].time - pairs_[at - 1].time; }
    /// The gap between a time and the next time that the clock can show, with a margin for rounding.
    double one_tick_above(std::size_t at) const { return std::log1p(1.001 * resolution_ / std::exp(pairs_[at].time)); }

    /// The groups of ranks that the first `count` pairs connect. Empty unless there are several groups, nine in ten
    /// pairs within groups are near, and at most a tenth of the ranks (or one rank) are alone. A rank that is alone
    /// joins the nearest group.
    std::optional<std::vector<int>> groups_below(std::size_t count) const {
        std::vector<std::size_t> parent(ranks_);
        std::iota(parent.begin(), parent.end(), std::size_t{0});
        auto const root = [&](std::size_t i) {
            while (parent[i] != i) i = parent[i] = parent[parent[i]];
            return i;
        };
        for (std::size_t i = 0; i != count; ++i) parent[root(pairs_[i].a)] = root(pairs_[i].b);
        std::vector<std::size_t> members(ranks_);
        for (std::size_t i = 0; i != ranks_; ++i) ++members[root(i)];
        auto const alone = static_cast<std::size_t>(std::count(members.begin(), members.end(), std::size_t{1}));
        auto const several = static_cast<std::size_t>(
            std::count_if(members.begin(), members.end(), [](std::size_t n) { return n > 1; }));
        if (several < 2 || alone > std::max<std::size_t>(1, ranks_ / 10)) return std::nullopt;
        double within = 0;
        for (auto const& p : pairs_) within += root(p.a) == root(p.b);
        if (static_cast<double>(count) < 0.9 * within) return std::nullopt;
        for (auto const& p : pairs_) // the nearest first
            if ((members[root(p.a)] == 1) != (members[root(p.b)] == 1)) {
                auto const one = members[root(p.a)] == 1 ? root(p.a) : root(p.b),
                           other = one == root(p.a) ? root(p.b) : root(p.a);
                parent[one] = other;
            }
        return numbered(root);
    }
    /// Numbers of the groups in the order of their first ranks.
    std::vector<int> numbered(auto const& root) const {
        std::vector<int> number(ranks_, -1), found;
        int groups = 0;
        for (std::size_t i = 0; i != ranks_; ++i) {
            auto& n = number[root(i)];
            if (n < 0) n = groups++;
            found.push_back(n);
        }
        return found;
    }

    std::size_t ranks_;
    double resolution_;
    std::vector<pair> pairs_; // by ascending time
};

} // namespace detail

/// Finds groups of ranks that are nearer to each other than to other ranks, such as the nodes of a switch. Returns the
/// group of each rank; groups are numbered from 0 in the order of their first ranks. All numbers are 0 if the times
/// show no groups. The method is single linkage below a gap in the times of all pairs, in both directions. Nearly all
/// pairs within groups must be below the gap, and the gap must be wider than one tick of the clock
/// (`times.resolution`).
[[nodiscard]] inline std::vector<int> find_rank_groups(pair_times const& times) {
    return detail::rank_grouping{times}.groups();
}

} // namespace sonde
