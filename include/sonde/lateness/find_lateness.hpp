// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/lateness/examined_loop.hpp>
#include <sonde/lateness/exchange_passes.hpp>
#include <sonde/lateness/lateness_record.hpp>

namespace sonde::inline v0_1 {

/// Waiting and transfer of a loop, and the ranks that made others wait.
///
/// The delay of a rank in a step is its time since the previous exchange minus the median of the ranks. A rank is late
/// in an exchange if one of three tests says so, each with a third of `false_alarms`, divided by the number of ranks
/// and of exchanges:
///
/// - steady: its delay is one of the m largest ones of a step in most steps;
/// - in some steps: its delays have a period, a burst or a change point (`find_step_effects`);
/// - at times: the sum of its delays is one of the m largest ones.
///
/// The first and the last one divide the steps into 20 blocks. Among P ranks of equal work, whatever its noise, a rank
/// is one of the first m of a block with a probability of m / P; so the number of blocks in which it is has a binomial
/// distribution. Its tail is multiplied by the number of tried m (1, 2, 4 .. P / 2). Blocks, because successive steps
/// are correlated. For both, the mean of the rank's margins over the other ranks must be above 0, too, by a test of a
/// correlated mean (`p_of_margins`): neither noise of up to a tenth of the loop that stays with a rank makes it late,
/// nor noisier work that is not longer. Noise that keeps to one rank for most of the loop makes this rank late.
///
/// If more than half of the ranks are late by these tests, with at least half of the largest sum of delays, they take
/// turns, and none is named. A late rank is named if its delays in its late steps add up to the `effect`, and if
/// another rank waited as long for it. At least 40 steps are needed, and 20 passes of an exchange.
///
/// A transfer is slow on a rank if it takes 1.5 times as long as on the median rank in so many blocks that the tail of
/// a binomial distribution with probability 1/2 is that small, and if the excess has the `effect`. At least 4 ranks are
/// needed.
///
/// Of the times of each scope of work on the median rank, and of the transfers of each exchange, the periods, bursts,
/// change points and drifts are found by `find_step_effects`, at the rate `false_alarms` for all of them.
///
/// Throws std::invalid_argument unless the options are at least 0 and below 1.
[[nodiscard]] lateness_record find_lateness(exchange_passes const& loop, lateness_options options = {});

namespace detail {

/// Throws std::invalid_argument unless the options are at least 0 and below 1.
void require_options(lateness_options const& options);

} // namespace detail

} // namespace sonde

#if SONDE_DEFINITIONS
#include <sonde/lateness/late_ranks.hpp>
#include <sonde/lateness/slow_transfers.hpp>
#include <sonde/stat/order_statistics.hpp>
#include <sonde/stat/steps.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

namespace detail {

SONDE_INLINE void require_options(lateness_options const& options) {
    require_fraction(options.effect, "sonde::find_lateness: the effect");
    require_fraction(options.false_alarms, "sonde::find_lateness: the rate of false alarms");
}

/// The fewest and the most passes of ranks that have an exchange, if they differ.
SONDE_INLINE std::optional<unequal_passes> unequal_passes_of(std::vector<std::size_t> const& passes) {
    unequal_passes found;
    for (std::size_t r = 0; r != passes.size(); ++r) {
        auto const rank = static_cast<int>(r);
        if (passes[r] != 0 && (found.fewest == 0 || passes[r] < found.fewest))
            found.fewest_rank = rank, found.fewest = passes[r];
        if (found.most < passes[r]) found.most_rank = rank, found.most = passes[r];
    }
    return found.fewest == found.most ? std::nullopt : std::optional{found};
}

/// Adds the waiting and the transfer of the counted steps to the record, and the 95 % interval of the waiting.
class lateness_totals {
public:
    lateness_totals(examined_loop const& loop, lateness_record& found) : loop_{loop}, found_{found} {}

    void add();

private:
    static constexpr auto blocks = examined_loop::blocks;
    using by_block = examined_loop::by_block;

    void add_pass(std::size_t step, int rank, seconds since_previous);
    void find_interval();

    examined_loop const& loop_;
    lateness_record& found_;
    by_block waiting_{}, observed_{};
};

SONDE_INLINE void lateness_totals::add() {
    for (auto const& e : loop_.passes.exchanges)
        found_.exchanges.push_back({.name = e.name, .unequal = unequal_passes_of(e.passes)});
    found_.ranks.resize(static_cast<std::size_t>(loop_.ranks()));
    std::vector<seconds> left(found_.ranks.size());
    for (std::size_t s = 0; s != loop_.passes.steps.size(); ++s) {
        auto& exchange = found_.exchanges[loop_.passes.steps[s].exchange];
        if (exchange.passes++ == 0) exchange.unexamined = loop_.passes.steps[s].number;
        for (int r = 0; r != loop_.ranks(); ++r) {
            auto const& pass = loop_.passes.pass(s, r);
            auto& previous = left[static_cast<std::size_t>(r)];
            if (loop_.costs.counted(s, r)) add_pass(s, r, pass.exit - previous);
            if (pass.present) previous = pass.exit;
        }
    }
    for (auto const& time : observed_) found_.observed += time;
    for (int r = 0; r != loop_.ranks(); ++r) {
        found_.ranks[static_cast<std::size_t>(r)].caused_by_work = loop_.costs.caused_by_work(r);
        found_.ranks[static_cast<std::size_t>(r)].caused_by_transfer = loop_.costs.caused_by_transfer(r);
    }
    if (loop_.enough_steps()) find_interval();
}

SONDE_INLINE void lateness_totals::add_pass(std::size_t step, int rank, seconds since_previous) {
    auto& exchange = found_.exchanges[loop_.passes.steps[step].exchange];
    auto const waiting = loop_.costs.waiting(step, rank);
    exchange.waiting += waiting;
    exchange.transfer += loop_.costs.transfer(step, rank);
    found_.ranks[static_cast<std::size_t>(rank)].waiting += waiting;
    waiting_[loop_.block_of(step)] += waiting;
    observed_[loop_.block_of(step)] += since_previous;
}

/// 95 % interval of a ratio of sums from its blocks (Cochran, Sampling Techniques, 1977, 6.3), by Student's t.
SONDE_INLINE void lateness_totals::find_interval() {
    if (!(seconds{} < found_.observed)) return;
    constexpr double t = 2.093; // 0.975 quantile for 19 degrees of freedom
    auto const share = waiting_share(found_);
    double squares = 0;
    for (std::size_t b = 0; b != blocks; ++b) {
        auto const residual = (waiting_[b] - share * observed_[b]).count();
        squares += residual * residual;
    }
    auto const margin = t * square_root(squares / (blocks - 1) / blocks) * blocks / found_.observed.count();
    found_.low = std::max(0.0, share - margin);
    found_.high = std::min(1.0, share + margin);
}

/// Adds the periods, bursts, change points and drifts of the times of the median rank in the steps of an exchange.
/// Each series has a part of the rate of false alarms: of the work before each exchange, and of its transfers.
void add_effects(lateness_record& found, examined_loop const& loop, std::size_t exchange, std::string const& scope,
                 auto time_of) {
    std::vector<double> times;
    std::vector<std::size_t> numbers;
    auto const& passes = loop.passes;
    for (std::size_t s = 0; s != passes.steps.size(); ++s) {
        if (passes.steps[s].exchange != exchange) continue;
        std::vector<seconds> of_ranks;
        for (int r = 0; r != loop.ranks(); ++r)
            if (loop.costs.counted(s, r)) of_ranks.push_back(time_of(s, r));
        if (of_ranks.empty()) continue;
        times.push_back(lower_median(of_ranks).count());
        numbers.push_back(passes.steps[s].number);
    }
    auto const series = passes.exchanges.size() * (passes.works.size() + 1);
    step_options const options{.false_alarms = loop.options.false_alarms / static_cast<double>(series),
                               .effect = loop.options.effect,
                               .step = loop.step_time(times.size())};
    for (auto& effect : find_step_effects({times.data(), times.size()}, options)) {
        for (auto& s : effect.steps) s = numbers[s];
        found.effects.push_back({scope, std::move(effect)});
    }
}

SONDE_INLINE void add_effects(lateness_record& found, examined_loop const& loop) {
    auto const& passes = loop.passes;
    for (std::size_t e = 0; e != passes.exchanges.size(); ++e) {
        for (std::size_t w = 0; w != passes.works.size(); ++w)
            add_effects(found, loop, e, passes.works[w],
                        [&](std::size_t s, int r) { return passes.work_time(s, r, w); });
        add_effects(found, loop, e, passes.exchanges[e].name,
                    [&](std::size_t s, int r) { return loop.costs.transfer(s, r); });
    }
}

} // namespace detail

SONDE_INLINE lateness_record find_lateness(exchange_passes const& passes, lateness_options options) {
    detail::require_options(options);
    detail::examined_loop loop{passes, options};
    lateness_record found{
        .steps = passes.steps.size(), .clock_error = passes.clock_error, .enough_steps = loop.enough_steps()};
    detail::lateness_totals{loop, found}.add();
    loop.time = found.observed / std::max(1, passes.ranks);
    if (found.enough_steps && passes.ranks > 1) {
        found.late = detail::late_rank_search{loop}.found();
        found.slow_transfers = detail::find_slow_transfers(loop);
    }
    if (found.enough_steps) detail::add_effects(found, loop);
    return found;
}

} // namespace sonde

#endif
