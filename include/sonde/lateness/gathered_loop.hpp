// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/clock/offset.hpp>
#include <sonde/group.hpp>
#include <sonde/group/agreement.hpp>
#include <sonde/lateness/exchange_passes.hpp>
#include <sonde/lateness/loop.hpp>
#include <sonde/probe.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

// The loops of all ranks on rank 0.

namespace sonde::inline v0_1::detail {

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

/// The latest steps whose passes of all ranks fit into the memory of rank 0.
std::vector<exchange_step> latest_steps(std::vector<exchange_step> steps, local_loop const& loop, int ranks);

/// The passes of all ranks on rank 0. Collective over the group.
exchange_passes gather_passes(Group auto& group, local_loop const& loop, std::vector<exchange_step> steps) {
    auto const all = sonde::gather(group, rows_of(loop, steps));
    auto const texts = sonde::gather(group, exchanges_text(loop));
    if (!all) return {};
    return joined_passes(loop, std::move(steps), group.size(), *all, *texts);
}

/// A loop on this rank, with its steps that are examined, and the passes of all ranks on rank 0.
struct gathered_loop {
    local_loop mine;
    std::vector<exchange_step> steps;
    exchange_passes passes;
};

/// The loop of all ranks, on the global clock, whose deviation is measured first. Collective over the group. Throws
/// std::invalid_argument on all ranks for a partner that is no rank, and for a scope of two kinds.
template <Clock C>
gathered_loop gather_loop(Group auto& group, auto& clock, basic_probe<C> const& local) {
    clock.measure_deviation(group);
    gathered_loop all;
    all.mine = detail::find_loop(group, local, [&](seconds reading) { return clock.to_global(reading); });
    sonde::collectively(
        group, [&] { detail::require_partners(all.mine, group.size()); }, detail::other_rank_partners);
    all.steps = detail::latest_steps(detail::common_steps(group, all.mine), all.mine, group.size());
    all.passes = detail::gather_passes(group, all.mine, all.steps);
    all.passes.oversubscribed = group_hook::oversubscribed(group);
    all.passes.clock_error = detail::clock_error(group, all.mine, clock.model());
    return all;
}

} // namespace sonde::detail

#if SONDE_DEFINITIONS
#include <cstdlib>
#include <numeric>

namespace sonde::inline v0_1::detail {

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

SONDE_INLINE std::vector<exchange_step> latest_steps(std::vector<exchange_step> steps, local_loop const& loop,
                                                     int ranks) {
    constexpr std::size_t most = std::size_t{1} << 22; // numbers on rank 0, 32 MiB
    auto const each = static_cast<std::size_t>(ranks) * (2 + loop.works.size());
    auto const kept = std::max<std::size_t>(1, most / each);
    if (steps.size() > kept) steps.erase(steps.begin(), steps.end() - static_cast<std::ptrdiff_t>(kept));
    return steps;
}

SONDE_INLINE std::vector<double> rows_of(local_loop const& loop, std::vector<exchange_step> const& steps) {
    std::vector<std::vector<local_pass const*>> found(loop.exchanges.size()); // by number, from the first kept pass on
    for (auto const& p : loop.passes) found[p.exchange].push_back(&p);
    std::vector<double> rows;
    for (auto const& s : steps) {
        auto const& passes = found[s.exchange];
        auto const missing =
            passes.empty() || s.number < passes.front()->number || s.number - passes.front()->number >= passes.size();
        local_pass const none{s.exchange, s.number, seconds{1}, {}, {}, std::vector<seconds>(loop.works.size())};
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
