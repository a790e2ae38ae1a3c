// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/combine.hpp>
#include <sonde/group.hpp>
#include <sonde/probe/places.hpp>
#include <sonde/probe/probe.hpp>
#include <sonde/probe/region_record.hpp>

#include <cstddef>
#include <list>
#include <span>
#include <vector>

namespace sonde {

namespace detail {

/// What one rank knows of its regions, of all its probes.
struct pieces {
    places names;
    std::vector<double> bytes;
    std::vector<decltype(region_record::times)> times;
};

template <Clock C>
void absorb(std::list<basic_region<C>> const& regions, std::size_t outer, pieces& into) {
    for (auto const& r : regions) {
        auto const i = adopt(into.names, {outer, r.name()});
        into.bytes.resize(into.names.size());
        into.times.resize(into.names.size());
        into.bytes[i] += static_cast<double>(r.times().count()) * static_cast<double>(r.bytes());
        into.times[i] += r.times();
        detail::absorb(r.inner(), i, into);
    }
}

/// The numbers of all regions that ranks add, or take the largest of.
class contributions {
    using times = decltype(region_record::times);

public:
    explicit contributions(std::size_t regions) : sums_(regions * added), largest_(regions * compared, never) {}

    void put(std::size_t i, double bytes, times const& passes) {
        auto* const sum = &sums_[i * added];
        passes.put_sums(std::span<double, times::sums>{sum, times::sums});
        sum[times::sums] = bytes;
        if (passes.count() == 0) return;
        sum[times::sums + 1] = 1;
        auto* const extreme = &largest_[i * compared];
        passes.put_extremes(std::span<double, 2>{extreme, 2});
        extreme[2] = passes.sum().count();
        extreme[3] = -passes.sum().count();
    }

    /// Collective over the group.
    template <Group G>
    void merge(G& group) {
        group.all_reduce(sums_, reduction::sum);
        group.all_reduce(largest_, reduction::max);
    }

    void get(std::size_t i, region_record& into) const {
        auto const* const sum = &sums_[i * added];
        into.bytes = sum[times::sums];
        into.ranks = static_cast<int>(sum[times::sums + 1]);
        if (into.ranks == 0) return;
        auto const* const extreme = &largest_[i * compared];
        into.times =
            times::of(std::span<double const, times::sums>{sum, times::sums}, std::span<double const, 2>{extreme, 2});
        into.totals = {seconds{-extreme[3]}, into.times.sum() / into.ranks, seconds{extreme[2]}};
    }

private:
    static constexpr std::size_t added = times::sums + 2, compared = 4;
    std::vector<double> sums_;
    std::vector<double> largest_;
};

/// Note which rank spent the most in each region. Collective over the group.
template <Group G>
void find_slowest(G& group, std::vector<seconds> const& mine, std::vector<region_record>& found) {
    std::vector<double> first(found.size());
    for (std::size_t i = 0; i != found.size(); ++i)
        first[i] = mine[i] == found[i].totals.max ? group.rank() : group.size();
    group.all_reduce(first, reduction::min);
    for (std::size_t i = 0; i != found.size(); ++i)
        found[i].slowest = found[i].ranks == 0 ? 0 : static_cast<int>(first[i]);
}

/// The regions of all ranks by name alone.
inline std::vector<region_record> blank(places const& all) {
    std::vector<region_record> found(all.size());
    for (std::size_t i = 0; i != all.size(); ++i) {
        found[i].name = all[i].name;
        if (all[i].outer == nowhere) continue;
        found[i].outer = all[i].outer;
        found[i].depth = found[all[i].outer].depth + 1;
    }
    return found;
}

template <Group G>
std::vector<region_record> merge(G& group, pieces const& mine) {
    auto all = nested(detail::agree_on(group, mine.names));
    auto const at = adopt(all, mine.names);
    auto found = blank(all);
    if (found.empty()) return found;
    contributions numbers{all.size()};
    std::vector<seconds> totals(all.size(), seconds{never});
    for (std::size_t i = 0; i != at.size(); ++i) {
        numbers.put(at[i], mine.bytes[i], mine.times[i]);
        if (mine.times[i].count() != 0) totals[at[i]] = mine.times[i].sum();
    }
    numbers.merge(group);
    for (std::size_t i = 0; i != found.size(); ++i) numbers.get(i, found[i]);
    detail::find_slowest(group, totals, found);
    return found;
}

} // namespace detail

/// The regions of all ranks' probes: each after the one that it is within, otherwise in the order in which the first
/// rank that has them made them. Collective over the group; equal on all ranks; the only communication of a probe.
///
/// Regions are matched by their names and those of the regions they are within; ranks need not have the same. Of a rank
/// with threads give all their probes, or let each thread collect its own as a member of a `team`. Passes that have not
/// ended are not counted; those that have stay counted.
template <Group G, Clock... C>
[[nodiscard]] std::vector<region_record> collect(G& group, basic_probe<C> const&... probes) {
    detail::pieces mine;
    (detail::absorb(probes.regions(), detail::nowhere, mine), ...);
    return detail::merge(group, mine);
}

template <Group G, Clock C>
[[nodiscard]] std::vector<region_record> collect(G& group, std::vector<basic_probe<C>> const& probes) {
    detail::pieces mine;
    for (auto const& one : probes) detail::absorb(one.regions(), detail::nowhere, mine);
    return detail::merge(group, mine);
}

} // namespace sonde
