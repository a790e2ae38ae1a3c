// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/group.hpp>
#include <sonde/group/agreement.hpp>
#include <sonde/group/group_ref.hpp>
#include <sonde/measure/equal_plans.hpp>
#include <sonde/measure/plan.hpp>
#include <sonde/measure/run.hpp>
#include <sonde/pattern.hpp>
#include <sonde/probe.hpp>
#include <sonde/probe/scope_record.hpp>
#include <sonde/stop.hpp>

#include <cstddef>
#include <exception>
#include <list>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sonde::inline v0_1 {

namespace detail {

using scope_list = std::vector<scope_record>; // parents before their children

/// Index of a scope, which is appended if it is new.
std::size_t find_or_add(scope_list& list, std::optional<std::size_t> parent, std::string const& name, scope_kind kind);

/// Index in `list` of each scope of `other`; new scopes are appended, without their passes.
std::vector<std::size_t> find_or_add(scope_list& list, scope_list const& other);

/// The scopes from index `first` on as a text: parent, or -1, kind, length of the name, name.
std::string text_of(scope_list const& list, std::size_t first);

/// Append the scopes of a text that `text_of` returned.
void append(std::string const& text, scope_list& list);

/// Union of the scopes of all ranks, without passes: the scopes of the first rank, then the scopes that the next rank
/// adds, and so on. Collective over the group; one broadcast per rank that adds scopes.
scope_list union_of_scopes(Group auto& group, scope_list const& mine) {
    for (scope_list all;;) {
        auto more = all;
        find_or_add(more, mine);
        double next[1] = {static_cast<double>(more.size() == all.size() ? group.size() : group.rank())};
        group.all_reduce(next, reduction::min);
        if (next[0] == group.size()) return all;
        auto text = text_of(more, all.size());
        sonde::broadcast(group, text, static_cast<int>(next[0]));
        append(text, all);
    }
}

/// Append the scopes in `parent`, in depth-first order; `parent_there` is the index of `parent` in `sorted`.
void append_descendants(scope_list const& list, std::optional<std::size_t> parent,
                        std::optional<std::size_t> parent_there, scope_list& sorted);

/// Call `visit(scope, i)` for scopes and for their nested scopes; i is the index in the list, to which new scopes are
/// added.
template <Clock C>
void for_each_scope(std::list<basic_scope<C>> const& scopes, std::optional<std::size_t> parent, scope_list& list,
                    auto visit) {
    for (auto const& s : scopes) {
        auto const i = find_or_add(list, parent, s.name(), s.kind());
        visit(s, i);
        detail::for_each_scope(s.children(), i, list, visit);
    }
}

/// Add the passes of all scopes of a probe. Returns the time since the probe was made.
template <Clock C>
seconds add_scopes(basic_probe<C> const& probe, scope_list& into) {
    detail::for_each_scope(probe.scopes(), {}, into, [&](basic_scope<C> const& s, std::size_t i) {
        into[i].bytes += static_cast<double>(s.times().count()) * static_cast<double>(s.bytes());
        into[i].times += s.times();
    });
    return probe.observed();
}

/// Of each scope, this rank's total time and its typical total, the median pass times the number of passes; `no_value`
/// without passes.
std::vector<double> totals_of(scope_list const& list);

/// Find the ranks with the largest total and typical total of each scope. `mine`: of this rank; `largest`: of all
/// ranks; `typical_sums`: the sums of the typical totals. One reduction. Collective over the group.
void find_slowest(Group auto& group, scope_list& list, std::span<double const> mine, std::span<double const> largest,
                  std::span<double const> typical_sums) {
    std::vector<double> first(mine.size(), group.size()); // rank with this total
    for (std::size_t i = 0; i != mine.size(); ++i)
        if (mine[i] != no_value && mine[i] == largest[i]) first[i] = group.rank();
    group.all_reduce(first, reduction::min);
    for (std::size_t i = 0; i != list.size(); ++i) {
        if (list[i].ranks == 0) continue;
        list[i].slowest = static_cast<int>(first[2 * i]);
        list[i].typical_slowest = static_cast<int>(first[2 * i + 1]);
        if (typical_sums[i] > 0) list[i].typical_ratio = largest[2 * i + 1] * list[i].ranks / typical_sums[i];
    }
}

/// Replace this rank's passes of each scope by the passes of all ranks. All ranks have the same list. `observed` is the
/// age of this rank's probes. Takes three reductions. Collective over the group.
void combine_passes(Group auto& group, scope_list& list, seconds observed) {
    using histogram = decltype(scope_record::times);
    constexpr std::size_t sums_each = histogram::sums + 2, maxima_each = 4;
    std::vector<double> sums(list.size() * sums_each), maxima(list.size() * maxima_each, no_value);
    auto const mine = totals_of(list);
    for (std::size_t i = 0; i != list.size(); ++i) sums.push_back(mine[2 * i + 1] == no_value ? 0 : mine[2 * i + 1]);
    sums.push_back(observed.count());
    maxima.insert(maxima.end(), mine.begin(), mine.end());
    for (std::size_t i = 0; i != list.size(); ++i) {
        auto* const sum = &sums[i * sums_each];
        auto* const max = &maxima[i * maxima_each];
        list[i].times.write_sums(std::span<double, histogram::sums>{sum, histogram::sums});
        sum[histogram::sums] = list[i].bytes;
        if (list[i].times.count() == 0) continue;
        sum[histogram::sums + 1] = 1;
        list[i].times.write_extremes(std::span<double, 2>{max, 2});
        max[2] = list[i].times.sum().count();
        max[3] = -max[2];
    }
    group.all_reduce(sums, reduction::sum);
    group.all_reduce(maxima, reduction::max);
    for (std::size_t i = 0; i != list.size(); ++i) {
        auto const* const sum = &sums[i * sums_each];
        auto const* const max = &maxima[i * maxima_each];
        auto& s = list[i];
        s.bytes = sum[histogram::sums];
        s.ranks = static_cast<int>(sum[histogram::sums + 1]);
        s.enclosing = s.parent ? list[*s.parent].times.sum() : seconds{sums.back()}; // parents come first
        if (s.ranks == 0) continue;
        s.times = histogram::from_sums(std::span<double const, histogram::sums>{sum, histogram::sums},
                                       std::span<double const, 2>{max, 2});
        s.totals = {seconds{-max[3]}, s.times.sum() / s.ranks, seconds{max[2]}};
    }
    detail::find_slowest(group, list, mine, {maxima.data() + list.size() * maxima_each, mine.size()},
                         {sums.data() + list.size() * sums_each, list.size()});
}

/// The merged scopes of all ranks. `add(list)` adds this rank's scopes, and returns the time that its probes observed.
std::vector<scope_record> merge_scopes(Group auto& group, auto add) {
    watched_call const watched{group, "collect"};
    scope_list mine;
    seconds observed{};
    std::exception_ptr failure;
    detail::attempt(failure, [&] { observed = add(mine); });
    detail::require_same_call(group_ref{group}, {"collect"},
                              failure); // now, because the ranks wait for each other in it
    scope_list all;
    append_descendants(detail::union_of_scopes(group, mine), {}, {}, all);
    if (all.empty()) return all;
    auto const at = find_or_add(all, mine);
    for (std::size_t i = 0; i != at.size(); ++i) {
        all[at[i]].bytes = mine[i].bytes;
        all[at[i]].times = mine[i].times;
    }
    detail::combine_passes(group, all, observed);
    return all;
}

struct idle_pattern {
    void operator()() const {}
    sonde::role role() const { return role::idle; }
};

/// The record of a reference pattern, on a rank without one.
record measure_idle(group_ref const& group, auto const& plan) {
    return detail::with_made(
        group, [] { return idle_pattern{}; }, [&](auto& idle) { return sonde::run(group, plan, idle, {}); });
}

} // namespace detail

/// Merge the scopes of the probes of all ranks: the only communication of a probe. Collective over the group; the list
/// is equal on all ranks. It makes 6 reductions and 2 broadcasts if all ranks have the same scopes.
///
/// Scopes of different ranks match if their names and the names of their enclosing scopes are equal. A rank may lack
/// some scopes. The list is in depth-first order, siblings in the order in which the first rank that has them made
/// them. A rank with several threads passes the probes of all threads, or each thread calls `collect` as a member of a
/// `thread_team`. Passes that have not ended are not counted. The probes are not reset.
template <Group G, Clock... C>
[[nodiscard]] std::vector<scope_record> collect(G& group, basic_probe<C> const&... probes) {
    return detail::merge_scopes(group, [&](detail::scope_list& mine) {
        seconds observed{};
        ((observed += detail::add_scopes(probes, mine)), ...);
        return observed;
    });
}

/// The same for several probes of a rank, one for each thread.
template <Group G, Clock C>
[[nodiscard]] std::vector<scope_record> collect(G& group, std::vector<basic_probe<C>> const& probes) {
    return detail::merge_scopes(group, [&](detail::scope_list& mine) {
        seconds observed{};
        for (auto const& p : probes) observed += detail::add_scopes(p, mine);
        return observed;
    });
}

/// Measure the reference pattern of each scope for which any rank has a reference pattern, and store the record in
/// `found`, the result of `collect`. A rank without the reference pattern takes part as an idle rank. Collective over
/// the group.
template <Group G, Clock C>
void measure_references(G& group, basic_probe<C> const& local, std::vector<scope_record>& found,
                        reference_plan<C> const& plan) {
    detail::watched_call const watched{group, "measure_references"};
    std::vector<basic_scope<C> const*> mine;
    std::vector<double> set; // 1 if a rank has a reference pattern
    std::exception_ptr failure;
    detail::attempt(failure, [&] {
        mine.resize(found.size());
        set.resize(found.size());
        auto known = found; // and scopes that this rank made after `collect`
        detail::for_each_scope(local.scopes(), {}, known, [&](basic_scope<C> const& s, std::size_t i) {
            if (i >= found.size() || !s.reference()) return;
            mine[i] = &s;
            set[i] = 1;
        });
    });
    detail::require_same_call(group_ref{group}, {"measure_references"}, failure);
    if (!set.empty()) group.all_reduce(set, reduction::max);
    group_ref all{group};
    for (std::size_t i = 0; i != found.size(); ++i) {
        if (set[i] == 0) continue;
        found[i].reference = mine[i] != nullptr ? mine[i]->reference()(all, plan) : detail::measure_idle(all, plan);
        found[i].reference->point.name = found[i].name;
    }
}

/// As above, with at most 1000 samples and 0.1 s for each scope.
template <Group G, Clock C>
void measure_references(G& group, basic_probe<C> const& local, std::vector<scope_record>& found) {
    auto const rule = samples{1000} || time_budget{seconds{0.1}};
    sonde::measure_references(group, local, found, sonde::plan<>{}.until(rule).timed_by(local.clock()));
}

} // namespace sonde

#if SONDE_DEFINITIONS
#include <cstdlib>

namespace sonde::inline v0_1::detail {

SONDE_INLINE std::size_t find_or_add(scope_list& list, std::optional<std::size_t> parent, std::string const& name,
                                     scope_kind kind) {
    std::size_t i = 0;
    while (i != list.size() && (list[i].parent != parent || list[i].name != name)) ++i;
    if (i == list.size())
        list.push_back({.name = name, .parent = parent, .depth = parent ? list[*parent].depth + 1 : 0, .kind = kind});
    return i;
}

SONDE_INLINE std::vector<std::size_t> find_or_add(scope_list& list, scope_list const& other) {
    std::vector<std::size_t> at;
    for (auto const& s : other)
        at.push_back(find_or_add(list, s.parent ? std::optional{at[*s.parent]} : std::nullopt, s.name, s.kind));
    return at;
}

SONDE_INLINE std::vector<double> totals_of(scope_list const& list) {
    std::vector<double> all(2 * list.size(), no_value);
    for (std::size_t i = 0; i != list.size(); ++i) {
        auto const& times = list[i].times;
        if (times.count() == 0) continue;
        all[2 * i] = times.sum().count();
        all[2 * i + 1] = times.quantile(0.5).count() * static_cast<double>(times.count());
    }
    return all;
}

SONDE_INLINE std::string text_of(scope_list const& list, std::size_t first) {
    std::string text;
    for (; first != list.size(); ++first) {
        auto const& s = list[first];
        text += (s.parent ? std::to_string(*s.parent) : "-1") + ' ' + std::to_string(static_cast<int>(s.kind)) + ' ' +
                std::to_string(s.name.size()) + ' ' + s.name;
    }
    return text;
}

SONDE_INLINE void append(std::string const& text, scope_list& list) {
    for (char const* next = text.data(); next != text.data() + text.size();) {
        char* end = nullptr;
        auto const parent = std::strtol(next, &end, 10);
        auto const kind = static_cast<scope_kind>(std::strtol(end, &end, 10));
        auto const length = std::strtoul(end, &end, 10);
        next = end + 1 + length;
        find_or_add(list, parent < 0 ? std::nullopt : std::optional{static_cast<std::size_t>(parent)},
                    std::string(end + 1, length), kind);
    }
}

SONDE_INLINE void append_descendants(scope_list const& list, std::optional<std::size_t> parent,
                                     std::optional<std::size_t> parent_there, scope_list& sorted) {
    for (std::size_t i = 0; i != list.size(); ++i)
        if (list[i].parent == parent)
            append_descendants(list, i, find_or_add(sorted, parent_there, list[i].name, list[i].kind), sorted);
}

} // namespace sonde::detail

#endif
