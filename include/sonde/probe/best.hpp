// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>
#include <sonde/measure.hpp>
#include <sonde/pattern.hpp>
#include <sonde/probe/any_group.hpp>
#include <sonde/probe/places.hpp>
#include <sonde/probe/probe.hpp>
#include <sonde/probe/region_record.hpp>

#include <cstddef>
#include <list>
#include <vector>

namespace sonde {

namespace detail {

struct nothing_to_do {
    void operator()() const {}
    role plays() const { return role::idle; }
};

inline places places_of(std::vector<region_record> const& found) {
    places all;
    for (auto const& r : found) all.push_back({r.outer.value_or(nowhere), r.name});
    return all;
}

/// By its number in the list, this rank's region that names a pattern; null where there is none.
template <Clock C>
void find_likes(std::list<basic_region<C>> const& regions, std::size_t outer, places const& all,
                std::vector<basic_region<C> const*>& into) {
    for (auto const& r : regions) {
        std::size_t i = 0;
        while (i != all.size() && all[i] != place{outer, r.name()}) ++i;
        if (i == all.size()) continue; // made since
        if (r.best()) into[i] = &r;
        detail::find_likes(r.inner(), i, all, into);
    }
}

/// Of each region: does a rank name a pattern? Collective over the group.
template <Group G, class R>
std::vector<double> named_by_any(G& group, std::vector<R const*> const& mine) {
    std::vector<double> named;
    for (auto const* const r : mine) named.push_back(r == nullptr ? 0 : 1);
    if (!named.empty()) group.all_reduce(named, reduction::max);
    return named;
}

} // namespace detail

/// Measure now the pattern of each region that names one by `like`, and put the record beside it. Collective over the
/// group, with the regions that `collect` found on it; a rank that names no pattern takes part idle.
template <Group G, Clock C>
void measure_best(G& group, basic_probe<C> const& own, std::vector<region_record>& found, best_plan<C> const& plan) {
    std::vector<basic_region<C> const*> mine(found.size());
    detail::find_likes(own.regions(), detail::nowhere, detail::places_of(found), mine);
    auto const named = detail::named_by_any(group, mine);
    any_group all{group};
    for (std::size_t i = 0; i != found.size(); ++i) {
        if (named[i] == 0) continue;
        found[i].best =
            mine[i] != nullptr ? mine[i]->best()(all, plan) : sonde::run(all, plan, detail::nothing_to_do{});
        found[i].best->at.name = found[i].name;
    }
}

/// The same with 1000 samples or a tenth of a second for each.
template <Group G, Clock C>
void measure_best(G& group, basic_probe<C> const& own, std::vector<region_record>& found) {
    auto const enough = samples{1000} || time_budget{seconds{0.1}};
    sonde::measure_best(group, own, found, sonde::plan<>{}.until(enough).timed_by(own.clock()));
}

} // namespace sonde
