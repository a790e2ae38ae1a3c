// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/clock/offset.hpp>
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
            {s.index, left[s.index]++, global(p.begin), global(p.begin + p.length), std::exchange(work, {})});
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

/// The steps by ascending position; the earlier one of a list comes first where positions are equal.
std::vector<exchange_step> ordered_steps(std::vector<exchange_step> const& steps, std::vector<double> const& positions);

/// Begin, end and times of work of each step on this rank; an end before the begin if it took no part.
std::vector<double> rows_of(local_loop const& loop, std::vector<exchange_step> const& steps);

/// The passes of each exchange, and its partners, as a text of numbers: passes, how many partners, and their ranks.
std::string exchanges_text(local_loop const& loop);

/// The rows and the texts of the exchanges of all ranks.
exchange_passes joined_passes(local_loop const& loop, std::vector<exchange_step> steps, int ranks,
                              std::vector<double> const& rows, std::vector<std::string> const& texts);

/// Bound of the error of a difference of two ranks' times in the loop. Collective over the group.
seconds clock_error(Group auto& group, local_loop const& loop, clock_model const& model) {
    double bound[1] = {0};
    if (!loop.passes.empty())
        for (auto const at : {loop.passes.front().begin, loop.passes.back().end})
            bound[0] = std::max(bound[0], 2 * model.error_bound(at).count());
    group.all_reduce(bound, reduction::max);
    return seconds{bound[0]};
}

/// The steps that all ranks keep, in the order of the rank that passed most exchanges before them.
std::vector<exchange_step> common_steps(Group auto& group, local_loop const& loop) {
    auto const exchanges = loop.exchanges.size();
    std::vector<double> ends(2 * exchanges, no_value); // first kept pass, minus number of passes
    for (std::size_t e = 0; e != exchanges; ++e) {
        if (loop.counts[e] == 0) continue;
        ends[2 * e] = static_cast<double>(loop.counts[e]);
        ends[2 * e + 1] = -static_cast<double>(loop.counts[e]);
    }
    for (auto const& p : loop.passes)
        ends[2 * p.exchange] = std::min(ends[2 * p.exchange], static_cast<double>(p.number));
    group.all_reduce(ends, reduction::max);
    std::vector<exchange_step> steps;
    std::vector<std::size_t> first(exchanges);
    for (std::size_t e = 0; e != exchanges; ++e) {
        first[e] = steps.size();
        for (auto n = ends[2 * e]; n != no_value && n < -ends[2 * e + 1]; ++n)
            steps.push_back({e, static_cast<std::size_t>(n)});
    }
    std::vector<double> positions(steps.size(), no_value);
    for (std::size_t i = 0; i != loop.passes.size(); ++i) {
        auto const& p = loop.passes[i];
        auto const lowest = static_cast<std::size_t>(ends[2 * p.exchange]);
        if (p.number < lowest || static_cast<double>(p.number) >= -ends[2 * p.exchange + 1]) continue;
        positions[first[p.exchange] + p.number - lowest] = static_cast<double>(loop.earlier + i);
    }
    group.all_reduce(positions, reduction::max);
    return ordered_steps(steps, positions);
}

/// The passes of all ranks on rank 0. Collective over the group.
exchange_passes gather_passes(Group auto& group, local_loop const& loop, std::vector<exchange_step> steps) {
    auto const ranks = static_cast<std::size_t>(group.size()), each = 2 + loop.works.size();
    constexpr std::size_t most = std::size_t{1} << 22; // numbers on rank 0, 32 MiB
    auto const kept = std::max<std::size_t>(1, most / (ranks * each));
    if (steps.size() > kept) steps.erase(steps.begin(), steps.end() - static_cast<std::ptrdiff_t>(kept));
    auto const all = sonde::gather(group, rows_of(loop, steps));
    auto const texts = sonde::gather(group, exchanges_text(loop));
    if (!all) return {};
    return joined_passes(loop, std::move(steps), group.size(), *all, *texts);
}

} // namespace sonde::detail

#if SONDE_DEFINITIONS
#include <cstdlib>
#include <iterator>
#include <numeric>

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

SONDE_INLINE std::vector<exchange_step> ordered_steps(std::vector<exchange_step> const& steps,
                                                      std::vector<double> const& positions) {
    std::vector<std::size_t> order(steps.size());
    std::iota(order.begin(), order.end(), std::size_t{});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return positions[a] < positions[b]; });
    std::vector<exchange_step> ordered;
    for (auto const i : order) ordered.push_back(steps[i]);
    return ordered;
}

SONDE_INLINE std::vector<double> rows_of(local_loop const& loop, std::vector<exchange_step> const& steps) {
    std::vector<std::vector<local_pass const*>> found(loop.exchanges.size()); // by number, from the first kept pass on
    for (auto const& p : loop.passes) found[p.exchange].push_back(&p);
    std::vector<double> rows;
    for (auto const& s : steps) {
        auto const& passes = found[s.exchange];
        auto const missing =
            passes.empty() || s.number < passes.front()->number || s.number - passes.front()->number >= passes.size();
        local_pass const none{s.exchange, s.number, seconds{1}, seconds{}, std::vector<seconds>(loop.works.size())};
        auto const& p = missing ? none : *passes[s.number - passes.front()->number];
        rows.insert(rows.end(), {p.begin.count(), p.end.count()});
        for (auto const w : p.work) rows.push_back(w.count());
    }
    return rows;
}

SONDE_INLINE std::string exchanges_text(local_loop const& loop) {
    std::string text;
    for (std::size_t e = 0; e != loop.exchanges.size(); ++e) {
        text += std::to_string(loop.counts[e]) + ' ' + std::to_string(loop.partners[e].size()) + ' ';
        for (auto const p : loop.partners[e]) text += std::to_string(p) + ' ';
    }
    return text;
}

SONDE_INLINE exchange_passes joined_passes(local_loop const& loop, std::vector<exchange_step> steps, int ranks,
                                           std::vector<double> const& rows, std::vector<std::string> const& texts) {
    exchange_passes all{.ranks = ranks, .works = loop.works, .steps = std::move(steps)};
    auto const count = static_cast<std::size_t>(ranks), each = 2 + loop.works.size();
    for (auto const& name : loop.exchanges) all.exchanges.push_back({name, std::vector<std::vector<int>>(count)});
    for (std::size_t r = 0; r != count; ++r) {
        char const* next = texts[r].c_str();
        auto const number = [&] {
            char* end = nullptr;
            auto const value = std::strtoull(next, &end, 10);
            next = end;
            return value;
        };
        for (auto& e : all.exchanges) {
            e.passes.push_back(static_cast<std::size_t>(number()));
            e.partners[r].resize(static_cast<std::size_t>(number()));
            for (auto& p : e.partners[r]) p = static_cast<int>(number());
        }
    }
    for (std::size_t s = 0; s != all.steps.size(); ++s)
        for (std::size_t r = 0; r != count; ++r) {
            auto const* const row = &rows[(r * all.steps.size() + s) * each];
            all.passes.push_back({seconds{row[0]}, seconds{row[1]}, row[0] <= row[1]});
            for (std::size_t w = 2; w != each; ++w) all.work_times.push_back(seconds{row[w]});
        }
    return all;
}

} // namespace sonde::detail

#endif
