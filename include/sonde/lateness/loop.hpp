// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/group.hpp>
#include <sonde/lateness/exchange_passes.hpp>
#include <sonde/probe.hpp>
#include <sonde/probe/collect.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sonde::inline v0_1::detail {

/// A kept pass of an exchange on this rank.
struct local_pass {
    std::size_t exchange = 0;
    std::size_t number = 0; // among the passes of the exchange
    seconds begin{};        // global time
    seconds end{};
    seconds reading{};           // begin by the clock of the rank
    std::vector<seconds> work{}; // of each scope of work since the previous exchange
};

/// The passes of this rank's exchanges.
struct local_loop {
    std::vector<std::string> exchanges{}, works{}; // of all ranks
    std::vector<std::size_t> counts{};             // passes of each exchange on this rank
    std::vector<std::vector<int>> partners{};      // of each exchange
    std::vector<local_pass> passes{};
    std::size_t earlier = 0; // passes of exchanges that are not kept
};

/// What this rank has in the number of a scope in its ring: the index of an exchange or of a scope of work.
struct numbered_scope {
    scope_kind kind = scope_kind::part;
    std::size_t index = 0;
};

/// The passes of the ring as passes of exchanges. `global(reading)`: global time.
void add_passes(local_loop& loop, std::vector<kept_pass> const& kept, std::vector<numbered_scope> const& scopes,
                auto global) {
    auto left = loop.counts; // passes of each exchange before this one
    for (auto const& p : kept) {
        auto const& s = scopes[p.scope];
        if (s.kind == scope_kind::exchange) --left[s.index];
    }
    for (auto const count : left) loop.earlier += count;
    std::vector<seconds> work(loop.works.size());
    for (auto const& p : kept) {
        auto const& s = scopes[p.scope];
        if (s.kind == scope_kind::work) work[s.index] += p.length;
        if (s.kind != scope_kind::exchange) continue;
        while (!loop.passes.empty() && global(p.begin) < loop.passes.back().end) loop.passes.pop_back(); // nested in it
        loop.passes.push_back(
            {s.index, left[s.index]++, global(p.begin), global(p.begin + p.length), p.begin, std::exchange(work, {})});
        work.resize(loop.works.size());
    }
}

/// Throws std::invalid_argument if a scope is of two kinds. `first[3 * i + kind]`: the first rank that has scope i as
/// this kind, or `ranks`.
void require_kinds(scope_list const& all, std::vector<double> const& first, int ranks);

/// Throws std::invalid_argument on all ranks if a scope of the union is of another kind on another rank. Collective
/// over the group.
template <Clock C>
void require_kinds(Group auto& group, basic_probe<C> const& probe, scope_list all) {
    std::vector<double> first(3 * all.size(), group.size());
    detail::for_each_scope(probe.scopes(), {}, all, [&](basic_scope<C> const& s, std::size_t i) {
        first[3 * i + static_cast<std::size_t>(s.kind())] = group.rank();
    });
    if (!first.empty()) group.all_reduce(first, reduction::min);
    detail::require_kinds(all, first, group.size());
}

/// The loop of this rank, with the exchanges and scopes of work of all ranks. Collective over the group.
template <Clock C>
local_loop find_loop(Group auto& group, basic_probe<C> const& probe, auto global) {
    scope_list mine, all;
    detail::for_each_scope(probe.scopes(), {}, mine, [](auto const&, std::size_t) {});
    append_descendants(detail::union_of_scopes(group, mine), {}, {}, all);
    detail::require_kinds(group, probe, all);
    local_loop loop;
    std::vector<std::size_t> index;
    for (auto const& s : all) {
        auto& names = s.kind == scope_kind::exchange ? loop.exchanges : loop.works;
        index.push_back(names.size());
        if (s.kind != scope_kind::part) names.push_back(s.name);
    }
    loop.counts.resize(loop.exchanges.size());
    loop.partners.resize(loop.exchanges.size());
    std::vector<numbered_scope> numbered;
    detail::for_each_scope(probe.scopes(), {}, all, [&](basic_scope<C> const& s, std::size_t i) {
        if (s.kind() == scope_kind::part) return;
        if (numbered.size() <= s.number()) numbered.resize(s.number() + 1);
        numbered[s.number()] = {s.kind(), index[i]};
        if (s.kind() != scope_kind::exchange) return;
        loop.counts[index[i]] = s.times().count();
        auto& partners = loop.partners[index[i]];
        for (auto const p : s.partners())
            if (p >= 0) partners.push_back(p);                                           // MPI_PROC_NULL is negative
        if (partners.empty() && !s.partners().empty()) partners.push_back(group.rank()); // it waits for nobody
    });
    detail::add_passes(loop, probe.kept_passes().passes(), numbered, global);
    return loop;
}

/// Throws std::invalid_argument if an exchange has a partner that is no rank of the group.
void require_partners(local_loop const& loop, int ranks);

/// The exception of the other ranks then; `first`: the rank that has the exchange.
std::invalid_argument other_rank_partners(int first);

} // namespace sonde::detail

#if SONDE_DEFINITIONS
#include <iterator>

namespace sonde::inline v0_1::detail {

SONDE_INLINE void require_kinds(scope_list const& all, std::vector<double> const& first, int ranks) {
    constexpr char const* nouns[] = {"a scope of no kind", "work", "an exchange"};
    for (std::size_t i = 0; i != all.size(); ++i) {
        std::string kinds;
        int count = 0;
        for (std::size_t k = 0; k != std::size(nouns); ++k) {
            auto const rank = static_cast<int>(first[3 * i + k]);
            if (rank == ranks) continue;
            kinds += std::string{count++ == 0 ? "" : " and "} + nouns[k] + " on rank " + std::to_string(rank);
        }
        if (count > 1)
            throw std::invalid_argument{"sonde::collect_lateness: the scope " + all[i].name + " is " + kinds};
    }
}

SONDE_INLINE void require_partners(local_loop const& loop, int ranks) {
    for (std::size_t e = 0; e != loop.partners.size(); ++e)
        for (auto const p : loop.partners[e])
            if (p < 0 || p >= ranks)
                throw std::invalid_argument{"sonde::collect_lateness: the exchange " + loop.exchanges[e] +
                                            " has the partner " + std::to_string(p) + ", and the group has " +
                                            std::to_string(ranks) + " ranks"};
}

SONDE_INLINE std::invalid_argument other_rank_partners(int first) {
    return std::invalid_argument{"sonde::collect_lateness: an exchange of rank " + std::to_string(first) +
                                 " has a partner that is no rank of the group"};
}

} // namespace sonde::detail

#endif
