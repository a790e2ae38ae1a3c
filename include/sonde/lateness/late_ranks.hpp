// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/lateness/examined_loop.hpp>
#include <sonde/lateness/lateness_record.hpp>

#include <cstddef>
#include <vector>

namespace sonde::inline v0_1::detail {

/// Tests the ranks of a loop, and names the late ones.
class late_rank_search {
public:
    explicit late_rank_search(examined_loop const& loop)
        : loop_{loop}, delays_(static_cast<std::size_t>(loop.ranks())) {}

    /// The late ranks, those that caused most waiting first; nobody if most ranks take turns.
    std::vector<late_rank> found();

private:
    static constexpr auto blocks = examined_loop::blocks;

    void test_ranks(std::size_t exchange);
    void test_rank(std::size_t exchange, int rank, std::vector<int> const& by_count, std::vector<int> const& by_sum);
    std::vector<double> margins_of(int rank, std::vector<std::size_t> const& steps) const;
    bool name(std::size_t exchange, int rank, std::vector<std::size_t> const& steps, std::vector<bool> const& late);

    examined_loop const& loop_;
    std::vector<late_rank> late_;
    std::vector<seconds> delays_; // sum of each rank in the steps in which it is late by a test
};

/// The scope of work that took longest beyond its typical time in the late steps of a rank, if that is at least half of
/// the lateness. The typical time is the rank's own in the other steps, if it was late in less than half of the steps
/// and if the other ranks' times are alike in both; otherwise, as where a loop has two kinds of steps, it is the time
/// of the other ranks in the late steps. `late`: of each of the steps.
late_work explanation(exchange_passes const& loop, delay_costs const& costs, int rank,
                      std::vector<std::size_t> const& steps, std::vector<bool> const& late, seconds lateness);

} // namespace sonde::detail

#if SONDE_DEFINITIONS
#include <sonde/lateness/late_delays.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace sonde::inline v0_1::detail {

SONDE_INLINE std::vector<late_rank> late_rank_search::found() {
    for (std::size_t e = 0; e != loop_.passes.exchanges.size(); ++e) test_ranks(e);
    auto const most = *std::max_element(delays_.begin(), delays_.end());
    auto const rivals = std::count_if(delays_.begin(), delays_.end(), [&](seconds d) { return most <= 2 * d; });
    if (2 * rivals > loop_.ranks()) return {}; // they take turns
    std::stable_sort(late_.begin(), late_.end(),
                     [](late_rank const& a, late_rank const& b) { return b.caused < a.caused; });
    return std::move(late_);
}

SONDE_INLINE void late_rank_search::test_ranks(std::size_t exchange) {
    std::vector<std::size_t> steps;
    for (std::size_t s = 0; s != loop_.passes.steps.size(); ++s)
        if (loop_.passes.steps[s].exchange == exchange) steps.push_back(s);
    if (steps.size() < blocks) return;
    auto const& costs = loop_.costs;
    auto const ranks = delays_.size();
    std::vector<std::vector<double>> firsts(ranks, std::vector<double>(blocks)), sums = firsts;
    for (std::size_t k = 0; k != steps.size(); ++k) {
        auto const block = k * blocks / steps.size();
        int largest = -1;
        for (int r = 0; r != loop_.ranks(); ++r) {
            if (!costs.counted(steps[k], r)) continue;
            auto const delay = costs.work_excess(steps[k], r);
            sums[static_cast<std::size_t>(r)][block] += std::max(delay, seconds{}).count();
            if (largest < 0 || costs.work_excess(steps[k], largest) < delay) largest = r;
        }
        if (largest >= 0) firsts[static_cast<std::size_t>(largest)][block] += 1;
    }
    auto const by_count = places_of(firsts), by_sum = places_of(sums);
    for (std::size_t r = 0; r != ranks; ++r) test_rank(exchange, static_cast<int>(r), by_count[r], by_sum[r]);
}

SONDE_INLINE void late_rank_search::test_rank(std::size_t exchange, int rank, std::vector<int> const& by_count,
                                              std::vector<int> const& by_sum) {
    auto const steps = loop_.steps_of(exchange, rank);
    std::vector<seconds> delays;
    seconds sum{};
    for (auto const s : steps) {
        delays.push_back(loop_.costs.work_excess(s, rank));
        sum += std::max(delays.back(), seconds{});
    }
    auto const bar = loop_.false_alarms_of_test();
    auto const seldom = [&](std::vector<int> const& places) { return p_of_places(places, loop_.ranks()) <= bar; };
    auto const is_steady = [&] { return p_of_margins(clipped(margins_of(rank, steps))) <= bar; };
    auto const is_larger = [&] { return p_of_margins(margins_of(rank, steps)) <= bar; };
    auto const worth_a_look = loop_.least_effect() <= 2 * sum; // it takes milliseconds
    auto const steady = seldom(by_count) && is_steady() && name(exchange, rank, steps, steady_delays(delays));
    auto const regular = worth_a_look && name(exchange, rank, steps, delays_in_some_steps(delays, loop_));
    if (!steady && !regular && seldom(by_sum) && is_larger()) name(exchange, rank, steps, large_delays(delays));
}

/// Time of the rank before each of the steps minus the median of the other ranks, of an even number the mean of both.
SONDE_INLINE std::vector<double> late_rank_search::margins_of(int rank, std::vector<std::size_t> const& steps) const {
    std::vector<double> margins;
    for (auto const s : steps) {
        std::vector<seconds> above, below; // two medians
        for (int r = 0; r != loop_.ranks(); ++r) {
            if (r == rank || !loop_.costs.counted(s, r)) continue;
            above.push_back(-loop_.costs.work_excess(s, r));
            below.push_back(loop_.costs.work_excess(s, r));
        }
        auto const others = (lower_median(std::move(below)) - lower_median(std::move(above))) / 2;
        margins.push_back((loop_.costs.work_excess(s, rank) - others).count());
    }
    return margins;
}

/// Names a rank for its late steps, if their delays have the effect. A rank is named once: for the exchange and the
/// steps with the larger sum of delays. Returns false if it is named neither for these steps nor for others.
SONDE_INLINE bool late_rank_search::name(std::size_t exchange, int rank, std::vector<std::size_t> const& steps,
                                         std::vector<bool> const& late) {
    late_rank found{.rank = rank,
                    .caused = loop_.costs.caused_by_work(rank),
                    .exchange = loop_.passes.exchanges[exchange].name,
                    .of_steps = steps.size()};
    std::vector<seconds> delays;
    for (std::size_t k = 0; k != late.size(); ++k) {
        if (!late[k]) continue;
        delays.push_back(loop_.costs.work_excess(steps[k], rank));
        found.steps.push_back(loop_.passes.steps[steps[k]].number);
    }
    found.lateness = lower_median(delays);
    auto const sum_of = [](late_rank const& l) { return l.lateness * static_cast<double>(l.steps.size()); };
    if (delays.empty() || found.lateness <= loop_.passes.clock_error) return false;
    auto& delay = delays_[static_cast<std::size_t>(rank)];
    delay = std::max(delay, sum_of(found));
    auto const least = loop_.least_effect();
    if (sum_of(found) < least || loop_.costs.worst_caused_by_work(rank) < least) return false;
    auto const known = std::find_if(late_.begin(), late_.end(), [&](late_rank const& l) { return l.rank == rank; });
    if (known != late_.end() && sum_of(found) <= sum_of(*known)) return true;
    found.work = explanation(loop_.passes, loop_.costs, rank, steps, late, found.lateness);
    if (known == late_.end()) late_.push_back(std::move(found));
    else *known = std::move(found);
    return true;
}

/// Median times of a scope of work: of a late rank and of the other ranks, in its late steps and in its other steps.
struct work_medians {
    seconds late, otherwise, others_late, others_otherwise;
};

SONDE_INLINE work_medians medians_of_work(exchange_passes const& loop, delay_costs const& costs, int rank,
                                          std::size_t work, std::vector<std::size_t> const& steps,
                                          std::vector<bool> const& late) {
    std::vector<seconds> own[2], others[2];
    for (std::size_t i = 0; i != steps.size(); ++i)
        for (int r = 0; r != loop.ranks; ++r)
            if (costs.counted(steps[i], r))
                (r == rank ? own : others)[late[i] ? 0 : 1].push_back(loop.work_time(steps[i], r, work));
    return {lower_median(own[0]), lower_median(own[1]), lower_median(others[0]), lower_median(others[1])};
}

SONDE_INLINE late_work explanation(exchange_passes const& loop, delay_costs const& costs, int rank,
                                   std::vector<std::size_t> const& steps, std::vector<bool> const& late,
                                   seconds lateness) {
    late_work found;
    auto const seldom = 2 * std::count(late.begin(), late.end(), true) < static_cast<std::ptrdiff_t>(late.size());
    found.of_other_steps = seldom;
    auto most = lateness / 2;
    for (std::size_t w = 0; w != loop.works.size(); ++w) {
        auto const times = medians_of_work(loop, costs, rank, w, steps, late);
        auto const unlike = lateness / 4 < std::chrono::abs(times.others_late - times.others_otherwise);
        auto const of_other_steps = seldom && !unlike;
        auto const typical = of_other_steps ? times.otherwise : times.others_late;
        if (times.late - typical < most) continue;
        most = times.late - typical;
        found = {loop.works[w], seconds{} < typical ? times.late / typical : 0, of_other_steps, typical};
    }
    return found;
}

} // namespace sonde::detail

#endif
