// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/lateness/delay_vector.hpp>
#include <sonde/lateness/exchange_passes.hpp>

#include <cstddef>
#include <vector>

namespace sonde::inline v0_1 {

/// Waiting, transfer and delay costs of a loop, by rank.
///
/// A rank waits in a pass from its entry until the last of its partners has entered, or was ready before that, at most
/// until its exit; the rest is transfer. The waiting is charged to the delays that made the partner late: each rank
/// carries the delays from which its lateness adds up. Between two exchanges a rank is delayed by its own time there
/// minus the median of the ranks (of an even number the lower one), and in an exchange by its own transfer minus the
/// median. A rank that waited takes over the delays of the rank for which it waited. So a rank that was delayed three
/// neighbors away is charged, and the ranks that only passed its delay on are not. The sum of the differences of two
/// ranks' delays is the difference of their entries, and a wait is charged to the positive differences, in proportion.
/// As long as a rank waits for several partners, up to four, they share its wait equally.
///
/// Source: Bohme, Geimer, Wolf, Arnold, Identifying the root causes of wait states in large-scale parallel
/// applications, ICPP 2010, which replays messages; here only the times of the passes are known.
class delay_costs {
public:
    explicit delay_costs(exchange_passes const& loop);

    /// True unless this is the first step of the rank, before which its work is unknown.
    bool counted(std::size_t step, int rank) const {
        return loop_->pass(step, rank).present && first_[index(rank)] < step;
    }
    /// Time that the rank waited in a step.
    seconds waiting(std::size_t step, int rank) const { return waiting_[at(step, rank)]; }
    /// Time that the rank spent in a step's exchange after it had waited.
    seconds transfer(std::size_t step, int rank) const {
        auto const& p = loop_->pass(step, rank);
        return p.present ? p.exit - p.entry - waiting(step, rank) : seconds{};
    }
    /// Time of the rank between the previous exchange and this one minus the median of the ranks.
    seconds work_excess(std::size_t step, int rank) const { return work_excess_[at(step, rank)]; }
    /// Transfer time of the rank minus the median of the ranks.
    seconds transfer_excess(std::size_t step, int rank) const { return transfer_excess_[at(step, rank)]; }

    /// The rank that entered last of those for which the rank waited in a step, or -1.
    int awaited(std::size_t step, int rank) const { return awaited_[at(step, rank)]; }
    /// The rank that caused most of this wait, by its work or by its transfers, or -1 for a wait of unknown cause.
    int cause(std::size_t step, int rank) const {
        auto const found = cause_[at(step, rank)];
        return found < loop_->ranks ? found : found - loop_->ranks;
    }
    /// True if it caused the wait by its transfers.
    bool is_by_transfer(std::size_t step, int rank) const { return loop_->ranks <= cause_[at(step, rank)]; }

    /// Waiting of all ranks that the rank caused by what it did between exchanges.
    seconds caused_by_work(int rank) const { return caused_[index(rank)]; }
    /// Waiting of all ranks that the rank caused by its own transfer.
    seconds caused_by_transfer(int rank) const { return caused_[ranks() + index(rank)]; }
    /// The longest waiting of one rank that this rank caused by what it did between exchanges.
    seconds worst_caused_by_work(int rank) const;

private:
    static constexpr std::size_t most_awaited = 4; // partners that share a wait

    static std::size_t index(int rank) { return static_cast<std::size_t>(rank); }
    std::size_t ranks() const { return index(loop_->ranks); }
    std::size_t at(std::size_t step, int rank) const { return step * ranks() + index(rank); }

    void find_typical_transfers();
    void sort_by_entry(std::size_t step);
    void enter(std::size_t step);
    void wait(std::size_t step);
    void charge(int rank, int awaited, seconds wait, detail::delay_vector& by_cause);
    void leave(std::size_t step);
    std::vector<int> late_partners(std::size_t step, int rank) const;
    int last_indirect_partner(std::size_t step, int rank, int awaited) const;
    void remove_common_delays();

    exchange_passes const* loop_;
    std::vector<seconds> waiting_, work_excess_, transfer_excess_; // of all passes
    std::vector<seconds> caused_;                                  // by cause: work of each rank, transfer of each rank
    std::vector<detail::delay_vector> suffered_;                   // of each rank, by cause
    std::vector<detail::delay_vector> delays_;                     // of each rank now
    std::vector<detail::delay_vector> ready_;                      // of each rank when it was ready in the present step
    std::vector<seconds> left_;                                    // last exit of each rank
    std::vector<std::size_t> first_;                               // step of each rank; all steps until it is known
    std::vector<seconds> typical_transfer_;                        // of each exchange
    std::vector<int> by_entry_;                                    // ranks of the present step, the last one first
    std::vector<int> awaited_, cause_; // of each pass: a rank, and a rank or number of ranks + rank
};

} // namespace sonde

#if SONDE_DEFINITIONS
#include <sonde/stat/order_statistics.hpp>

#include <algorithm>

namespace sonde::inline v0_1 {

namespace detail {

/// The median, of an even number the lower one: of two ranks the faster, so that the slower is the late one.
SONDE_INLINE seconds lower_median(std::vector<seconds> times) {
    if (times.empty()) return {};
    auto const middle = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

} // namespace detail

SONDE_INLINE delay_costs::delay_costs(exchange_passes const& loop)
    : loop_{&loop}, waiting_(loop.passes.size()), work_excess_(loop.passes.size()),
      transfer_excess_(loop.passes.size()), caused_(2 * ranks()), suffered_(ranks()), delays_(ranks()), ready_(ranks()),
      left_(ranks()), first_(ranks(), loop.steps.size()), typical_transfer_(loop.exchanges.size()), by_entry_(ranks()),
      awaited_(loop.passes.size(), -1), cause_(loop.passes.size(), -1) {
    find_typical_transfers();
    for (std::size_t s = 0; s != loop.steps.size(); ++s) {
        enter(s);
        wait(s);
        leave(s);
        remove_common_delays();
    }
}

SONDE_INLINE seconds delay_costs::worst_caused_by_work(int rank) const {
    seconds worst{};
    for (auto const& s : suffered_) worst = std::max(worst, s.of(index(rank)));
    return worst;
}

SONDE_INLINE void delay_costs::find_typical_transfers() {
    std::vector<std::vector<seconds>> transfers(loop_->exchanges.size());
    for (std::size_t s = 0; s != loop_->steps.size(); ++s) {
        sort_by_entry(s);
        for (auto const r : by_entry_) {
            auto const late = late_partners(s, r);
            auto const& p = loop_->pass(s, r);
            auto const from = late.empty() ? p.entry : loop_->pass(s, late.front()).ready();
            transfers[loop_->steps[s].exchange].push_back(p.exit - from);
        }
    }
    for (std::size_t e = 0; e != transfers.size(); ++e) typical_transfer_[e] = detail::lower_median(transfers[e]);
}

SONDE_INLINE void delay_costs::sort_by_entry(std::size_t step) {
    by_entry_.clear();
    for (int r = 0; r != loop_->ranks; ++r)
        if (loop_->pass(step, r).present) by_entry_.push_back(r);
    std::sort(by_entry_.begin(), by_entry_.end(),
              [&](int a, int b) { return loop_->pass(step, b).ready() < loop_->pass(step, a).ready(); });
}

/// Each rank is delayed by its own time since it left the previous exchange. In its first step it is delayed by its
/// whole lateness, and since this lateness began before the loop, it counts in no excess. What it does after it is
/// ready delays only itself in this step.
SONDE_INLINE void delay_costs::enter(std::size_t step) {
    sort_by_entry(step);
    std::vector<seconds> intervals, first, aheads;
    for (auto const r : by_entry_) {
        auto const& p = loop_->pass(step, r);
        if (counted(step, r)) intervals.push_back(p.entry - left_[index(r)]);
        else first.push_back(p.entry);
        aheads.push_back(p.ahead);
    }
    auto const typical = detail::lower_median(intervals), typical_first = detail::lower_median(first);
    auto const typical_ahead = detail::lower_median(aheads);
    for (auto const r : by_entry_) {
        auto const& p = loop_->pass(step, r);
        auto const excess = counted(step, r) ? p.entry - left_[index(r)] - typical : p.entry - typical_first;
        if (counted(step, r)) work_excess_[at(step, r)] = excess;
        delays_[index(r)].add(index(r), excess - (p.ahead - typical_ahead));
    }
    ready_ = delays_;
    for (auto const r : by_entry_)
        if (auto const ahead = loop_->pass(step, r).ahead - typical_ahead; ahead != seconds{})
            delays_[index(r)].add(index(r), ahead);
}

/// The partners that entered after the rank and not after it left, the last one first, at most `most_awaited` of them.
SONDE_INLINE std::vector<int> delay_costs::late_partners(std::size_t step, int rank) const {
    auto const& mine = loop_->pass(step, rank);
    auto const& partners = loop_->exchanges[loop_->steps[step].exchange].partners;
    auto const of_all = partners.empty() || partners[index(rank)].empty();
    std::vector<int> late;
    for (auto const other : of_all ? by_entry_ : partners[index(rank)]) {
        auto const& theirs = loop_->pass(step, other);
        if (of_all && (theirs.ready() <= mine.entry || late.size() == most_awaited)) break;
        if (theirs.present && mine.entry < theirs.ready() && theirs.ready() <= mine.exit) late.push_back(other);
    }
    std::stable_sort(late.begin(), late.end(),
                     [&](int a, int b) { return loop_->pass(step, b).ready() < loop_->pass(step, a).ready(); });
    if (late.size() > most_awaited) late.resize(most_awaited);
    return late;
}

/// The rank that entered last before this rank left, among the partners of partners: exchanges of several phases pass
/// a delay on within a pass. Looked for only if the transfer after `awaited` entered takes more than twice the typical
/// one.
SONDE_INLINE int delay_costs::last_indirect_partner(std::size_t step, int rank, int awaited) const {
    auto const& scope = loop_->exchanges[loop_->steps[step].exchange];
    auto const& mine = loop_->pass(step, rank);
    auto const from = awaited < 0 ? mine.entry : loop_->pass(step, awaited).ready();
    if (scope.partners.empty() || !(2 * typical_transfer_[loop_->steps[step].exchange] < mine.exit - from))
        return awaited;
    std::vector<bool> reached(ranks());
    std::vector<int> next{rank};
    reached[index(rank)] = true;
    auto last = awaited;
    while (!next.empty()) {
        auto const r = next.back();
        next.pop_back();
        for (auto const other : scope.partners[index(r)]) {
            auto const& theirs = loop_->pass(step, other);
            if (reached[index(other)] || !theirs.present || mine.exit < theirs.ready()) continue;
            reached[index(other)] = true;
            next.push_back(other);
            if (mine.entry < theirs.ready() && (last < 0 || loop_->pass(step, last).ready() < theirs.ready()))
                last = other;
        }
    }
    return last;
}

SONDE_INLINE void delay_costs::wait(std::size_t step) {
    for (auto const r : by_entry_) {
        auto late = late_partners(step, r);
        auto const last = last_indirect_partner(step, r, late.empty() ? -1 : late.front());
        if (last >= 0 && (late.empty() || last != late.front())) late.insert(late.begin(), last);
        auto const ready_of = [&](int rank) { return loop_->pass(step, rank).ready(); };
        auto const entry = loop_->pass(step, r).entry;
        auto const waited = late.empty() ? seconds{} : ready_of(last) - entry;
        auto const counts = loop_->clock_error < waited;
        if (!counts) continue;
        awaited_[at(step, r)] = last;
        waiting_[at(step, r)] = waited;
        if (!counted(step, r)) continue;
        detail::delay_vector by_cause;
        for (std::size_t i = 0; i != late.size(); ++i) {
            auto const before = i + 1 != late.size() ? ready_of(late[i + 1]) : entry;
            auto const shared = (ready_of(late[i]) - before) / static_cast<double>(i + 1);
            for (std::size_t j = 0; j <= i; ++j) charge(r, late[j], shared, by_cause);
        }
        seconds most{};
        for (auto const& e : by_cause.entries())
            if (most < e.amount) most = e.amount, cause_[at(step, r)] = static_cast<int>(e.cause);
    }
}

SONDE_INLINE void delay_costs::charge(int rank, int awaited, seconds waited, detail::delay_vector& by_cause) {
    auto const &theirs = ready_[index(awaited)], &own = delays_[index(rank)];
    seconds sum{};
    detail::delay_vector::for_each_difference(theirs, own, [&](std::size_t, seconds amount) {
        if (seconds{} < amount) sum += amount;
    });
    detail::delay_vector::for_each_difference(theirs, own, [&](std::size_t cause, seconds amount) {
        if (!(seconds{} < amount)) return;
        auto const cost = amount / sum * waited;
        caused_[cause] += cost;
        by_cause.add(cause, cost);
        suffered_[index(rank)].add(cause, cost);
    });
}

/// A rank that waited has the delays of the rank for which it waited, and leaves after its own transfer.
SONDE_INLINE void delay_costs::leave(std::size_t step) {
    std::vector<seconds> times;
    for (auto const r : by_entry_) times.push_back(transfer(step, r));
    auto const typical = detail::lower_median(times);
    for (auto const r : by_entry_) {
        if (awaited(step, r) >= 0) delays_[index(r)] = ready_[index(awaited(step, r))];
        auto const excess = transfer(step, r) - typical;
        transfer_excess_[at(step, r)] = excess;
        delays_[index(r)].add(ranks() + index(r), excess);
        left_[index(r)] = loop_->pass(step, r).exit;
        first_[index(r)] = std::min(first_[index(r)], step);
    }
}

/// Delays that all ranks have in common make no rank late. Without them, a vector has few entries.
SONDE_INLINE void delay_costs::remove_common_delays() {
    std::vector<std::size_t> sharing(caused_.size());
    std::vector<seconds> least(caused_.size(), seconds::max());
    for (auto const& d : delays_)
        for (auto const& e : d.entries()) {
            ++sharing[e.cause];
            least[e.cause] = std::min(least[e.cause], e.amount);
        }
    std::vector<bool> common(caused_.size());
    for (std::size_t c = 0; c != common.size(); ++c) common[c] = sharing[c] == ranks();
    for (auto& d : delays_) d.subtract(least, common);
}

} // namespace sonde

#endif
