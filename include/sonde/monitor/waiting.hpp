// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/lateness/delay_costs.hpp>
#include <sonde/lateness/exchange_passes.hpp>
#include <sonde/lateness/gathered_loop.hpp>
#include <sonde/lateness/lateness_record.hpp>
#include <sonde/lateness/loop.hpp>
#include <sonde/monitor/pages.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

/// Waiting of a rank in an exchange.
struct exchange_waiting {
    seconds waiting{};  // from its entries until the last of its partners on the node entered
    seconds examined{}; // of the passes whose waiting is known
};

/// Finds, from the latest passes in the pages of a node's ranks, how long the ranks waited in exchanges and which rank
/// was late. It knows the ranks of its node: waiting for a rank of another node is transfer.
///
/// Ranks match by the numbers of their passes since their probes were added. A pass is examined once all ranks have
/// ended it, if all of them still keep it: of a loop that passes faster than `live_passes::kept` passes in an interval,
/// the last ones in the interval are examined, of all ranks together at most 2048, but 48 of a rank. Times are those of
/// steady clocks, which the processes of a node share. Late ranks are searched for every six intervals, among 40 passes
/// or more; the latest passes may be those of a moment, and so a rank is late if two searches in a row say so.
class waiting_watch {
public:
    /// `false_alarms`: expected number, in an hour, of updates that call a rank late although all ranks have equal
    /// work, as `find_lateness` defines it.
    waiting_watch(seconds interval, double false_alarms) : interval_{interval}, false_alarms_{false_alarms} {}

    /// Call it once in each interval.
    void update(std::vector<rank_counters> const& ranks);
    /// Waiting of a rank in an exchange since the first update; null if no pass was examined.
    exchange_waiting const* of(std::string const& exchange, int rank) const;
    /// Waiting of all ranks of the node since the first update, by the rank whose work caused it.
    std::map<int, seconds> const& caused() const { return caused_; }
    /// The ranks that were late in the latest passes, by the rules of `find_lateness`, and in the search before.
    std::vector<late_rank> const& late() const { return late_; }

private:
    static constexpr std::size_t most_passes = 2048, intervals_between = 6;

    void add(exchange_passes const& loop, std::vector<int> const& ranks);
    void find_late_ranks(exchange_passes const& loop, std::vector<int> const& ranks);

    seconds interval_;
    double false_alarms_;
    std::map<std::string, std::size_t> next_; // pass of each exchange that is not examined yet
    std::map<std::pair<std::string, int>, exchange_waiting> waiting_;
    std::map<int, seconds> caused_;
    std::size_t until_search_ = 0; // intervals
    std::vector<int> suspects_;    // late by the latest search
    std::vector<late_rank> late_;
};

} // namespace sonde

#if SONDE_DEFINITIONS
#include <sonde/lateness/find_lateness.hpp>

#include <algorithm>
#include <limits>

namespace sonde::inline v0_1 {

namespace detail {

/// The index of a name in a list, at whose end it is added if it is not there.
SONDE_INLINE std::size_t index_of(std::vector<std::string>& names, std::string const& name) {
    auto const found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    names.push_back(name);
    return names.size() - 1;
}

/// Indices of partners among the ranks of the node; of a rank without a partner on the node its own.
SONDE_INLINE std::vector<int> partners_on_node(std::vector<int> const& partners, std::vector<int> const& ranks,
                                               std::size_t own) {
    std::vector<int> found;
    for (auto const p : partners) {
        auto const same = std::find(ranks.begin(), ranks.end(), p);
        if (same != ranks.end()) found.push_back(static_cast<int>(same - ranks.begin()));
    }
    if (found.empty() && !partners.empty()) found.push_back(static_cast<int>(own));
    return found;
}

/// The loop of a rank from the passes in its page. `names`: a loop with the exchanges and scopes of work of all ranks.
SONDE_INLINE local_loop node_loop(rank_counters const& of, local_loop const& names, std::vector<int> const& ranks,
                                  std::size_t own) {
    local_loop loop{names.exchanges, names.works};
    loop.counts.resize(loop.exchanges.size());
    loop.partners.resize(loop.exchanges.size());
    std::vector<numbered_scope> scopes;
    for (auto const& s : of.scopes) {
        auto& all = s.kind == scope_kind::exchange ? loop.exchanges : loop.works;
        scopes.push_back({s.kind, s.kind == scope_kind::part ? 0 : index_of(all, s.name)});
        if (s.kind == scope_kind::exchange)
            loop.partners[scopes.back().index] = partners_on_node(s.partners, ranks, own);
    }
    std::vector<kept_pass> kept;
    for (auto const& p : of.passes) {
        kept.push_back({p.begin, p.length, static_cast<std::uint32_t>(p.scope)});
        if (of.scopes[p.scope].kind == scope_kind::exchange)
            loop.counts[scopes[p.scope].index] = static_cast<std::size_t>(p.number) + 1;
    }
    add_passes(loop, kept, scopes, [](seconds reading) { return reading; });
    return loop;
}

/// The steps that all ranks keep which have the exchange, in the order of the rank that passed most before them.
SONDE_INLINE std::vector<exchange_step> steps_of_all(std::vector<local_loop> const& loops) {
    auto const exchanges = loops[0].exchanges.size();
    std::vector<std::size_t> first(exchanges), last(exchanges, std::numeric_limits<std::size_t>::max());
    for (auto const& l : loops) {
        std::vector<std::size_t> lowest = l.counts;
        for (auto const& p : l.passes) lowest[p.exchange] = std::min(lowest[p.exchange], p.number);
        for (std::size_t e = 0; e != exchanges; ++e) {
            if (l.counts[e] == 0) continue;
            first[e] = std::max(first[e], lowest[e]);
            last[e] = std::min(last[e], l.counts[e]);
        }
    }
    std::vector<exchange_step> steps;
    std::vector<std::size_t> offset(exchanges);
    for (std::size_t e = 0; e != exchanges; ++e) {
        offset[e] = steps.size();
        if (last[e] == std::numeric_limits<std::size_t>::max()) continue; // nobody passed it
        for (auto n = first[e]; n < last[e]; ++n) steps.push_back({e, n});
    }
    std::vector<double> positions(steps.size());
    for (auto const& l : loops)
        for (std::size_t i = 0; i != l.passes.size(); ++i) {
            auto const& p = l.passes[i];
            if (p.number < first[p.exchange] || p.number >= last[p.exchange]) continue;
            auto& position = positions[offset[p.exchange] + p.number - first[p.exchange]];
            position = std::max(position, static_cast<double>(l.earlier + i));
        }
    return ordered_steps(steps, positions);
}

/// The given steps of all ranks.
SONDE_INLINE exchange_passes joined(std::vector<local_loop> const& loops, std::vector<exchange_step> steps) {
    std::vector<double> rows;
    std::vector<std::string> texts;
    for (auto const& l : loops) {
        auto const of_rank = rows_of(l, steps);
        rows.insert(rows.end(), of_rank.begin(), of_rank.end());
        texts.push_back(exchanges_text(l));
    }
    return joined_passes(loops[0], std::move(steps), static_cast<int>(loops.size()), rows, texts);
}

/// The loops of the ranks that run, and these ranks.
SONDE_INLINE std::pair<std::vector<local_loop>, std::vector<int>> node_loops(std::vector<rank_counters> const& ranks) {
    std::pair<std::vector<local_loop>, std::vector<int>> found;
    local_loop names;
    for (auto const& r : ranks) {
        if (!r.running) continue;
        found.second.push_back(r.rank);
        for (auto const& s : r.scopes)
            if (s.kind != scope_kind::part)
                index_of(s.kind == scope_kind::exchange ? names.exchanges : names.works, s.name);
    }
    for (auto const& r : ranks)
        if (r.running) found.first.push_back(node_loop(r, names, found.second, found.first.size()));
    return found;
}

} // namespace detail

SONDE_INLINE exchange_waiting const* waiting_watch::of(std::string const& exchange, int rank) const {
    auto const found = waiting_.find({exchange, rank});
    return found == waiting_.end() ? nullptr : &found->second;
}

SONDE_INLINE void waiting_watch::update(std::vector<rank_counters> const& ranks) {
    auto const [loops, numbers] = detail::node_loops(ranks);
    if (loops.size() < 2) return;
    auto steps = detail::steps_of_all(loops);
    auto const most = std::max<std::size_t>(most_passes / loops.size(), 48);
    if (steps.size() > most) steps.erase(steps.begin(), steps.end() - static_cast<std::ptrdiff_t>(most));
    if (steps.empty()) return;
    auto const& names = loops[0].exchanges;
    auto const is_new = [&](exchange_step const& s) { return s.number >= next_[names[s.exchange]]; };
    auto begin = std::find_if(steps.begin(), steps.end(), is_new);
    if (begin != steps.begin()) --begin; // after which the work of the next one is known
    add(detail::joined(loops, {begin, steps.end()}), numbers);
    for (auto const& s : steps) next_[names[s.exchange]] = std::max(next_[names[s.exchange]], s.number + 1);
    if (until_search_ != 0) --until_search_;
    else if (steps.size() >= 40) find_late_ranks(detail::joined(loops, std::move(steps)), numbers);
}

SONDE_INLINE void waiting_watch::add(exchange_passes const& loop, std::vector<int> const& ranks) {
    delay_costs const costs{loop};
    for (std::size_t s = 0; s != loop.steps.size(); ++s) {
        auto const& name = loop.exchanges[loop.steps[s].exchange].name;
        if (loop.steps[s].number < next_[name]) continue;
        for (int r = 0; r != loop.ranks; ++r) {
            if (!costs.counted(s, r)) continue;
            auto& sum = waiting_[{name, ranks[static_cast<std::size_t>(r)]}];
            sum.waiting += costs.waiting(s, r);
            sum.examined += loop.pass(s, r).exit - loop.pass(s, r).entry;
        }
    }
    for (int r = 0; r != loop.ranks; ++r) caused_[ranks[static_cast<std::size_t>(r)]] += costs.caused_by_work(r);
}

/// A rank can be late only if its work made one other rank wait for at least the effect, a share of the loop's time:
/// without such a rank the tests, which take milliseconds, are left out.
SONDE_INLINE void waiting_watch::find_late_ranks(exchange_passes const& loop, std::vector<int> const& ranks) {
    until_search_ = intervals_between - 1;
    auto const before = std::exchange(suspects_, {});
    late_.clear();
    auto const searches = seconds{3600} / interval_ / static_cast<double>(intervals_between);
    lateness_options const options{.false_alarms = std::min(false_alarms_ / searches, 0.01)};
    delay_costs const costs{loop};
    seconds worst{};
    std::optional<seconds> shortest; // time of a rank in the loop
    for (int r = 0; r != loop.ranks; ++r) {
        worst = std::max(worst, costs.worst_caused_by_work(r));
        auto const &first = loop.pass(0, r), &last = loop.pass(loop.steps.size() - 1, r);
        auto const time = last.exit - first.exit;
        if (first.present && last.present) shortest = std::min(shortest.value_or(time), time);
    }
    if (worst <= options.effect * shortest.value_or(seconds{})) return;
    for (auto& l : find_lateness(loop, options).late) {
        l.rank = ranks[static_cast<std::size_t>(l.rank)];
        suspects_.push_back(l.rank);
        if (std::find(before.begin(), before.end(), l.rank) != before.end()) late_.push_back(std::move(l));
    }
}

} // namespace sonde

#endif
