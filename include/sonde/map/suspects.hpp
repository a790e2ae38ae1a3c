// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/map/residuals.hpp>
#include <sonde/stat/order_statistics.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

/// What is slow: a rank, all pairs of ranks between two groups, or one pair of ranks.
enum class suspect_kind : unsigned char { rank, groups, pair };
/// Direction of the slow messages.
enum class suspect_direction : unsigned char { both, from, to };

/// A rank, a pair of groups of ranks, or a pair of ranks, that is slower than its class.
struct suspect {
    suspect_kind kind = suspect_kind::pair;                // what is slow
    suspect_direction direction = suspect_direction::both; // `from`: messages from `rank`; `to`: messages to it
    int rank = 0;                                          // or group
    int peer = -1;                                         // of a pair, or of two groups
    double factor = 1;                                     // time over the center of the class
    bool operator==(suspect const&) const = default;
};

/// When something is a suspect. `false_alarms`: probability that anything at all is named on a system without a slow
/// part. `factor`: smaller differences are not named, even if they are significant; 1.2 is 20 % more time.
struct suspect_options {
    double false_alarms = 0.01;
    double factor = 1.2;
};

namespace detail {

/// One-sided p-value of an excess by Student's t test. Its standard error was estimated with `freedom` degrees of
/// freedom. The computation uses Wallace's normal deviate (Annals of Mathematical Statistics 30, 1959). 1 if there is
/// no excess.
inline double excess_p(double excess, double error, double freedom) {
    auto const t = excess / error;
    auto const normal = (8 * freedom + 1) / (8 * freedom + 3) * std::sqrt(freedom * std::log1p(t * t / freedom));
    return excess > 0 ? std::erfc(normal / std::sqrt(2.)) / 2 : 1;
}

/// The search for suspects: a test for each rank and direction, each pair of groups, and each pair of ranks.
class suspect_search {
public:
    suspect_search(pair_times const& times, std::vector<int> const& group_of_rank, suspect_options options)
        : r_{times, group_of_rank}, options_{options}, explained_from_(2 * static_cast<std::size_t>(times.ranks)),
          explained_to_(explained_from_) {}

    std::vector<suspect> found() {
        test_ranks(suspect_direction::from);
        test_ranks(suspect_direction::to);
        test_groups();
        test_pairs();
        reject();
        for (auto const& t : tests_)
            if (t.of.kind == suspect_kind::rank)
                of_ranks_[2 * static_cast<std::size_t>(t.of.rank) + (t.of.direction == way::to)] = t.excess;
        auto all = slow_ranks();
        if (!all.empty()) retest_groups();
        for (auto const& t : tests_)
            if (t.of.kind == suspect_kind::groups) of_groups_[between_index(t.of.rank, t.of.peer)] = t.excess;
        for (auto const kind : {suspect_kind::groups, suspect_kind::pair}) {
            auto const more = slow_pairs(kind);
            all.insert(all.end(), more.begin(), more.end());
        }
        return all;
    }

private:
    using way = suspect_direction;
    struct test {
        suspect of;
        double excess; // logarithm of the factor
        double p;
    };

    /// The median, or the lower of the middle two values if the noise does not explain their difference: a rank or a
    /// link is not slow if half of its pairs are as fast as others.
    double most_of(std::vector<double> const& excess) const {
        auto const lower = lower_middle_of(excess), middle = middle_of(excess);
        return middle - lower > 2 * r_.noise() ? lower : middle;
    }
    double error_of_median(std::size_t values) const { // 1.2533: sqrt(pi / 2)
        return 1.2533 * r_.noise() / std::sqrt(static_cast<double>(values));
    }
    /// Test medians against 0. The error of a median is the largest of three errors: the error of a median of
    /// `sizes[i]` values with the noise of all pairs, the deviation of the medians from one another, and the rounding
    /// error of a time, which a median of rounded times does not reduce.
    void test_medians(std::vector<test> medians, std::vector<std::size_t> const& sizes) {
        if (medians.empty()) return;
        std::vector<double> values;
        for (auto const& m : medians) values.push_back(m.excess);
        auto const between = std::max(robust_deviation(values, middle_of(values)), r_.rounding_error());
        for (std::size_t i = 0; i != medians.size(); ++i) {
            medians[i].p = excess_p(medians[i].excess, std::max(error_of_median(sizes[i]), between), freedom_);
            tests_.push_back(medians[i]);
        }
    }
    void test_ranks(way w) {
        std::vector<test> medians;
        std::vector<std::size_t> sizes;
        for (int rank = 0; rank < r_.ranks(); ++rank) {
            auto const of_rank = r_.of(rank, w == way::from);
            if (of_rank.size() < 3) continue;
            medians.push_back({{suspect_kind::rank, w, rank}, most_of(of_rank), 1});
            sizes.push_back(of_rank.size());
        }
        test_medians(std::move(medians), sizes);
    }
    /// Needs three groups. The pairs between two groups are all in one class, so they cannot be slower than their
    /// class. A slow rank of a small group is in half of the pairs between this group and another. Therefore pairs
    /// without a named rank are tested or, if there are not two of these, the unexplained part of all excesses.
    void test_groups() {
        if (r_.groups() < 3) return;
        std::vector<test> medians;
        std::vector<std::size_t> sizes;
        auto const all = excess_between_groups(true), without_named = excess_between_groups(false);
        for (int from = 0; from < r_.groups(); ++from)
            for (int to = 0; to < r_.groups(); ++to) {
                auto const i = between_index(from, to);
                if (all[i].size() < 4) continue;
                auto const& excess = without_named[i].size() < 2 ? all[i] : without_named[i];
                sizes.push_back(excess.size());
                medians.push_back({{suspect_kind::groups, way::from, from, to}, most_of(excess), 1});
            }
        test_medians(std::move(medians), sizes);
    }
    std::vector<std::vector<double>> excess_between_groups(bool of_named_ranks) const {
        std::vector<std::vector<double>> found(between_index(r_.groups(), 0));
        for (int a = 0; a < r_.ranks(); ++a)
            for (int b = 0; b < r_.ranks(); ++b) {
                auto const e = r_.at(a, b);
                if (!e || r_.is_within(a, b)) continue;
                auto const known = explained_by_ranks(a, b);
                if (known == 0 || of_named_ranks)
                    found[between_index(r_.group_of(a), r_.group_of(b))].push_back(*e - known);
            }
        return found;
    }
    std::size_t between_index(int from, int to) const {
        return static_cast<std::size_t>(from) * static_cast<std::size_t>(r_.groups()) + static_cast<std::size_t>(to);
    }
    /// Tests groups again after ranks were named, at the same level of significance.
    void retest_groups() {
        std::erase_if(tests_, [](test const& t) { return t.of.kind == suspect_kind::groups; });
        test_groups();
        std::erase_if(tests_, [&](test const& t) {
            return t.of.kind == suspect_kind::groups && !(t.p <= limit_ && is_large(t.excess));
        });
    }
    void test_pairs() {
        for (int from = 0; from < r_.ranks(); ++from)
            for (int to = 0; to < r_.ranks(); ++to)
                if (auto const e = r_.at(from, to))
                    tests_.push_back(
                        {{suspect_kind::pair, way::from, from, to}, *e, excess_p(*e, r_.noise(), freedom_)});
    }
    /// Holm's step-down procedure keeps the tests that are significant together at the level `false_alarms`.
    void reject() {
        std::stable_sort(tests_.begin(), tests_.end(), [](test const& a, test const& b) { return a.p < b.p; });
        auto const level = [&](std::size_t i) {
            return options_.false_alarms / static_cast<double>(tests_.size() - i);
        };
        std::size_t rejected = 0;
        while (rejected != tests_.size() && tests_[rejected].p < level(rejected)) ++rejected;
        limit_ = rejected == tests_.size() ? options_.false_alarms : level(rejected);
        tests_.resize(rejected);
        std::erase_if(tests_, [&](test const& t) { return !is_large(t.excess); });
    }
    /// True for an excess above the factor; a difference of one tick of the clock does not count.
    bool is_large(double excess) const {
        return excess > 0 && excess >= std::log(options_.factor) && std::expm1(excess) > 1.001 * r_.resolution();
    }

    /// The excess of the messages from or to a rank; 0 unless it is significant, also beyond that of the named ranks.
    double excess_of(int rank, way w) const {
        auto const significant = of_ranks_[2 * static_cast<std::size_t>(rank) + (w == way::to)];
        if (significant == 0) return 0;
        std::vector<double> rest;
        for (int peer = 0; peer < r_.ranks(); ++peer) {
            auto const from = w == way::from ? rank : peer, to = w == way::from ? peer : rank;
            if (auto const e = r_.at(from, to)) rest.push_back(*e - explained_by_ranks(from, to));
        }
        auto const excess = most_of(rest);
        return is_large(excess) && excess_p(excess, error_of_median(rest.size()), freedom_) <= limit_ ? significant : 0;
    }
    /// The slow ranks. They are named one by one, the rank with the slowest pairs on the whole first, because a slow
    /// rank and a slow link together are in most of the pairs of a sound rank.
    std::vector<suspect> slow_ranks() {
        std::vector<std::pair<double, int>> by_total;
        for (int rank = 0; rank < r_.ranks(); ++rank) {
            auto const from = r_.of(rank, true), to = r_.of(rank, false);
            by_total.emplace_back(-std::accumulate(to.begin(), to.end(), std::accumulate(from.begin(), from.end(), 0.)),
                                  rank);
        }
        std::sort(by_total.begin(), by_total.end());
        std::vector<suspect> found;
        for (auto const& [total, rank] : by_total) {
            auto const from = excess_of(rank, way::from), to = excess_of(rank, way::to);
            if (from == 0 && to == 0) continue;
            auto const w = to == 0 ? way::from : from == 0 ? way::to : way::both;
            found.push_back({suspect_kind::rank, w, rank, -1, std::exp(std::max(from, to))});
            for (auto const within : {true, false}) {
                explained_from_[class_index(rank, within)] = usual_excess(rank, true, within);
                explained_to_[class_index(rank, within)] = usual_excess(rank, false, within);
            }
        }
        return slowest_first(std::move(found));
    }
    static std::size_t class_index(int rank, bool within) { return 2 * static_cast<std::size_t>(rank) + within; }
    /// The lower median of the pairs of a rank within its group, or between groups: a rank that adds a constant time
    /// adds a larger part to a shorter time. Half of the pairs may be slow for a reason of their own.
    double usual_excess(int rank, bool from, bool within) const {
        std::vector<double> excess;
        for (int peer = 0; peer < r_.ranks(); ++peer)
            if (auto const e = from ? r_.at(rank, peer) : r_.at(peer, rank); e && r_.is_within(rank, peer) == within)
                excess.push_back(*e);
        return excess.empty() ? 0 : std::max(lower_middle_of(std::move(excess)), 0.);
    }
    /// The part of a pair's excess that its named ranks explain. Two slow ranks explain the product of their factors.
    double explained_by_ranks(int from, int to) const {
        auto const within = r_.is_within(from, to);
        return explained_from_[class_index(from, within)] + explained_to_[class_index(to, within)];
    }
    /// The part of a pair's excess that its named ranks and its named groups explain.
    double explained(suspect const& pair) const {
        if (pair.kind == suspect_kind::groups) return 0; // tested without it
        return explained_by_ranks(pair.rank, pair.peer) +
               of_groups_[between_index(r_.group_of(pair.rank), r_.group_of(pair.peer))];
    }
    std::vector<suspect> slow_pairs(suspect_kind kind) const {
        std::vector<suspect> found;
        for (auto const& t : tests_) {
            if (t.of.kind != kind) continue;
            auto const known = explained(t.of), rest = t.excess - known;
            if (known > 0 && (!is_large(rest) || excess_p(rest, r_.noise(), freedom_) > limit_)) continue;
            auto const back = std::find_if(found.begin(), found.end(), [&](suspect const& s) {
                return s.rank == t.of.peer && s.peer == t.of.rank;
            });
            if (back == found.end()) {
                found.push_back(t.of);
                found.back().factor = std::exp(t.excess);
                continue;
            }
            *back = {kind, way::both, std::min(back->rank, back->peer), std::max(back->rank, back->peer),
                     std::max(back->factor, std::exp(t.excess))};
        }
        return slowest_first(std::move(found));
    }
    static std::vector<suspect> slowest_first(std::vector<suspect> all) {
        std::stable_sort(all.begin(), all.end(),
                         [](suspect const& a, suspect const& b) { return a.factor > b.factor; });
        return all;
    }

    residuals r_;
    double freedom_ = r_.degrees_of_freedom();
    suspect_options options_;
    std::vector<test> tests_;
    double limit_ = 0;
    /// The usual excess of each named rank in both classes, even in a direction in which it is not significant; 0 of
    /// other ranks.
    std::vector<double> explained_from_, explained_to_;
    std::vector<double> of_ranks_ = explained_from_; // significant excess: from and to each rank; else 0
    std::vector<double> of_groups_ = std::vector<double>(between_index(r_.groups(), 0)); // significant excess; else 0
};

} // namespace detail

/// Ranks, pairs of groups and pairs of ranks that are slower than their class, in this order, each kind by descending
/// factor. Empty for fewer than four ranks, because the times of so few ranks do not show which rank is slow.
/// `group_of_rank` has the group (node, switch) of each rank, counted from 0; empty if all ranks are in one group.
/// Throws std::invalid_argument if it has neither no element nor, for each rank, a number from 0 and below the number
/// of ranks, unless `false_alarms` is at least 0 and below 1, and unless `factor` is at least 1 and finite.
///
/// Classes: pairs within groups are one class, pairs between groups the other. The excess of a pair is the logarithm of
/// its time less the center of its class.
///
/// Tests: a rank is tested by the median excess of the messages from it, and by that of the messages to it; two groups,
/// out of three or more, by the median excess of the pairs between them; a pair of ranks by its excess. A median does
/// not show what only half of its messages or pairs have. Holm's step-down procedure over all tests (Scandinavian
/// Journal of Statistics 6, 1979), with Student's t, keeps the rate of false alarms at `false_alarms` if the excesses
/// are normal.
///
/// Resolution: the standard deviation is estimated as if each reading of the clock were off by half a tick
/// (`times.resolution`), and a difference of one tick is not named, so that few ranks need times of at least ten ticks
/// to show a factor of three. An unknown resolution is taken to be the smallest difference of the times if some are
/// equal, unless it is above a third of the usual time.
///
/// Explanations: beside a named rank, another rank, two groups or a pair are named only if they are slower than this
/// rank explains, and a pair only if it is slower than its groups explain, too.
[[nodiscard]] inline std::vector<suspect>
find_suspects(pair_times const& times, std::vector<int> const& group_of_rank = {}, suspect_options options = {}) {
    detail::require_fraction(options.false_alarms, "sonde::find_suspects: the rate of false alarms");
    if (!detail::is_finite(options.factor) || options.factor < 1)
        throw std::invalid_argument{"sonde::find_suspects: the factor must be at least 1: 1.2 is 20 % more time"};
    auto const is_group = [&](int group) { return group >= 0 && group < times.ranks; };
    if (!group_of_rank.empty() && (group_of_rank.size() != static_cast<std::size_t>(times.ranks) ||
                                   !std::all_of(group_of_rank.begin(), group_of_rank.end(), is_group)))
        throw std::invalid_argument{
            "sonde::find_suspects: a group for each rank, from 0 and below the number of ranks"};
    if (times.ranks < 4) return {};
    return detail::suspect_search{times, group_of_rank, options}.found();
}

} // namespace sonde
