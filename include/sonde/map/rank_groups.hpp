// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/map/residuals.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace sonde {

namespace detail {

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
