// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>
#include <sonde/pattern.hpp>
#include <sonde/plan.hpp>
#include <sonde/probe/probe.hpp>
#include <sonde/probe/scope_record.hpp>
#include <sonde/run.hpp>
#include <sonde/stop.hpp>
#include <sonde/time.hpp>

#include <cstddef>
#include <limits>
#include <list>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sonde {

namespace detail {

inline constexpr auto no_parent = static_cast<std::size_t>(-1);

/// Name of a scope and index of its parent in the same list.
struct scope_key {
    std::size_t parent = no_parent;
    std::string name;

    bool operator==(scope_key const&) const = default;
};
using scope_tree = std::vector<scope_key>; // parents before their children

/// Index of a key; the size of the tree if it is not there.
inline std::size_t index_of(scope_tree const& tree, scope_key const& key) {
    std::size_t i = 0;
    while (i != tree.size() && tree[i] != key) ++i;
    return i;
}

/// Index of a key, which is appended if it is new.
inline std::size_t find_or_add(scope_tree& tree, scope_key key) {
    auto const i = index_of(tree, key);
    if (i == tree.size()) tree.push_back(std::move(key));
    return i;
}

/// Index in `tree` of each key of `other`; new keys are appended.
inline std::vector<std::size_t> find_or_add(scope_tree& tree, scope_tree const& other) {
    std::vector<std::size_t> at;
    for (auto const& [parent, name] : other)
        at.push_back(find_or_add(tree, {parent == no_parent ? no_parent : at[parent], name}));
    return at;
}

/// The keys from index `first` on as numbers, for a reduction: parent, length of the name, its characters.
inline std::vector<double> encode(scope_tree const& tree, std::size_t first) {
    std::vector<double> numbers;
    for (; first != tree.size(); ++first) {
        auto const& [parent, name] = tree[first];
        numbers.push_back(parent == no_parent ? -1 : static_cast<double>(parent));
        numbers.push_back(static_cast<double>(name.size()));
        for (char const c : name) numbers.push_back(static_cast<unsigned char>(c));
    }
    return numbers;
}

/// Append encoded keys.
inline void decode(std::vector<double> const& numbers, scope_tree& tree) {
    for (auto next = numbers.begin(); next != numbers.end();) {
        scope_key key{*next < 0 ? no_parent : static_cast<std::size_t>(*next), {}};
        key.name.resize(static_cast<std::size_t>(next[1]));
        next += 2;
        for (char& c : key.name) c = static_cast<char>(static_cast<unsigned char>(*next++));
        tree.push_back(std::move(key));
    }
}

/// Union of the trees of all ranks, equal on all of them: the keys of the first rank, then those that the first of the
/// other ranks has beyond these, and so on. Collective over the group; one broadcast per rank that adds keys.
template <Group G>
scope_tree union_of_trees(G& group, scope_tree const& mine) {
    for (scope_tree all;;) {
        auto more = all;
        find_or_add(more, mine);
        double next[1] = {static_cast<double>(more.size() == all.size() ? group.size() : group.rank())};
        group.all_reduce(next, reduction::min);
        if (next[0] == group.size()) return all;
        auto numbers = encode(more, all.size());
        sonde::broadcast(group, numbers, static_cast<int>(next[0]));
        decode(numbers, all);
    }
}

/// Append the descendants of key `parent` of `tree`, which has the index `parent_there` in `sorted`.
inline void append_descendants(scope_tree const& tree, std::size_t parent, std::size_t parent_there,
                               scope_tree& sorted) {
    for (std::size_t i = 0; i != tree.size(); ++i) {
        if (tree[i].parent != parent) continue;
        sorted.push_back({parent_there, tree[i].name});
        append_descendants(tree, i, sorted.size() - 1, sorted);
    }
}

/// The scopes of all probes of one rank.
struct local_scopes {
    scope_tree tree;
    std::vector<double> bytes; // moved by all passes
    std::vector<decltype(scope_record::times)> times;
};

template <Clock C>
void add_scopes(std::list<basic_scope<C>> const& scopes, std::size_t parent, local_scopes& into) {
    for (auto const& s : scopes) {
        auto const i = find_or_add(into.tree, {parent, s.name()});
        into.bytes.resize(into.tree.size());
        into.times.resize(into.tree.size());
        into.bytes[i] += static_cast<double>(s.times().count()) * static_cast<double>(s.bytes());
        into.times[i] += s.times();
        detail::add_scopes(s.children(), i, into);
    }
}

/// The numbers of all scopes, for two reductions: a sum and a maximum.
class scope_statistics {
    using histogram = decltype(scope_record::times);
    static constexpr std::size_t sums_each = histogram::sums + 2, maxima_each = 4;
    static constexpr double lowest = -std::numeric_limits<double>::infinity();

public:
    explicit scope_statistics(std::size_t scopes) : sums_(scopes * sums_each), maxima_(scopes * maxima_each, lowest) {}

    void put(std::size_t scope, double bytes, histogram const& times) {
        auto* const sums = &sums_[scope * sums_each];
        times.write_sums(std::span<double, histogram::sums>{sums, histogram::sums});
        sums[histogram::sums] = bytes;
        if (times.count() == 0) return;
        sums[histogram::sums + 1] = 1;
        auto* const maxima = &maxima_[scope * maxima_each];
        times.write_extremes(std::span<double, 2>{maxima, 2});
        maxima[2] = times.sum().count();
        maxima[3] = -times.sum().count();
    }

    /// Collective over the group.
    template <Group G>
    void merge(G& group) {
        group.all_reduce(sums_, reduction::sum);
        group.all_reduce(maxima_, reduction::max);
    }

    void get(std::size_t scope, scope_record& into) const {
        auto const* const sums = &sums_[scope * sums_each];
        into.bytes = sums[histogram::sums];
        into.ranks = static_cast<int>(sums[histogram::sums + 1]);
        if (into.ranks == 0) return;
        auto const* const maxima = &maxima_[scope * maxima_each];
        into.times = histogram::from_sums(std::span<double const, histogram::sums>{sums, histogram::sums},
                                          std::span<double const, 2>{maxima, 2});
        into.totals = {seconds{-maxima[3]}, into.times.sum() / into.ranks, seconds{maxima[2]}};
    }

private:
    std::vector<double> sums_;
    std::vector<double> maxima_;
};

/// Set the slowest rank of each scope from the total times of this rank. Collective over the group.
template <Group G>
void find_slowest(G& group, std::vector<seconds> const& totals, std::vector<scope_record>& found) {
    std::vector<double> first(found.size());
    for (std::size_t i = 0; i != found.size(); ++i)
        first[i] = totals[i] == found[i].totals.max ? group.rank() : group.size();
    group.all_reduce(first, reduction::min);
    for (std::size_t i = 0; i != found.size(); ++i)
        found[i].slowest = found[i].ranks == 0 ? 0 : static_cast<int>(first[i]);
}

template <Group G>
std::vector<scope_record> merge(G& group, local_scopes const& mine) {
    scope_tree tree;
    append_descendants(detail::union_of_trees(group, mine.tree), no_parent, no_parent, tree);
    if (tree.empty()) return {};
    std::vector<scope_record> found(tree.size());
    scope_statistics statistics{tree.size()};
    std::vector<seconds> totals(tree.size(), seconds{-1}); // a scope that this rank never passed
    auto const at = find_or_add(tree, mine.tree);
    for (std::size_t i = 0; i != at.size(); ++i) {
        statistics.put(at[i], mine.bytes[i], mine.times[i]);
        if (mine.times[i].count() != 0) totals[at[i]] = mine.times[i].sum();
    }
    statistics.merge(group);
    for (std::size_t i = 0; i != found.size(); ++i) {
        statistics.get(i, found[i]);
        found[i].name = tree[i].name;
        if (tree[i].parent == no_parent) continue;
        found[i].parent = tree[i].parent;
        found[i].depth = found[tree[i].parent].depth + 1;
    }
    detail::find_slowest(group, totals, found);
    return found;
}

/// Put the scopes of this rank that have a reference pattern at their indices in `tree`.
template <Clock C>
void find_references(std::list<basic_scope<C>> const& scopes, std::size_t parent, scope_tree const& tree,
                     std::vector<basic_scope<C> const*>& into) {
    for (auto const& s : scopes) {
        auto const i = index_of(tree, {parent, s.name()});
        if (i == tree.size()) continue; // made after `collect`
        if (s.reference()) into[i] = &s;
        detail::find_references(s.children(), i, tree, into);
    }
}

struct idle_pattern {
    void operator()() const {}
    role plays() const { return role::idle; }
};

} // namespace detail

/// Merge the scopes of the probes of all ranks: the only communication of a probe. Collective over the group; the list
/// is equal on all ranks. It makes 7 reductions if all ranks have the same scopes.
///
/// Scopes of different ranks match by their names and those of the enclosing scopes; a rank may lack some. The list is
/// in depth-first order, siblings in the order in which the first rank that has them made them. A rank with several
/// threads passes the probes of all threads, or each thread calls `collect` as a member of a `thread_team`. Passes that
/// have not ended are not counted. The probes are not reset.
template <Group G, Clock... C>
[[nodiscard]] std::vector<scope_record> collect(G& group, basic_probe<C> const&... probes) {
    detail::local_scopes mine;
    (detail::add_scopes(probes.scopes(), detail::no_parent, mine), ...);
    return detail::merge(group, mine);
}

template <Group G, Clock C>
[[nodiscard]] std::vector<scope_record> collect(G& group, std::vector<basic_probe<C>> const& probes) {
    detail::local_scopes mine;
    for (auto const& p : probes) detail::add_scopes(p.scopes(), detail::no_parent, mine);
    return detail::merge(group, mine);
}

/// Measure the reference pattern of each scope that has one on any rank, and store the record in `found`, the result of
/// `collect` on the same group. A rank without the reference pattern takes part as an idle rank. Collective over the
/// group.
template <Group G, Clock C>
void measure_references(G& group, basic_probe<C> const& local, std::vector<scope_record>& found,
                        reference_plan<C> const& plan) {
    detail::scope_tree tree;
    for (auto const& r : found) tree.push_back({r.parent.value_or(detail::no_parent), r.name});
    std::vector<basic_scope<C> const*> mine(found.size());
    detail::find_references(local.scopes(), detail::no_parent, tree, mine);
    std::vector<double> set;
    for (auto const* const s : mine) set.push_back(s == nullptr ? 0 : 1);
    if (!set.empty()) group.all_reduce(set, reduction::max);
    any_group all{group};
    for (std::size_t i = 0; i != found.size(); ++i) {
        if (set[i] == 0) continue;
        found[i].reference =
            mine[i] != nullptr ? mine[i]->reference()(all, plan) : sonde::run(all, plan, detail::idle_pattern{});
        found[i].reference->point.name = found[i].name;
    }
}

/// The same with at most 1000 samples and 0.1 s for each scope.
template <Group G, Clock C>
void measure_references(G& group, basic_probe<C> const& local, std::vector<scope_record>& found) {
    auto const rule = samples{1000} || time_budget{seconds{0.1}};
    sonde::measure_references(group, local, found, sonde::plan<>{}.until(rule).timed_by(local.clock()));
}

} // namespace sonde
