// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/lateness/exchange_passes.hpp>
#include <sonde/lateness/lateness_record.hpp>

namespace sonde::inline v0_1 {

/// Options of `find_lateness`.
struct lateness_options {
    double effect = 0.05;       // a rank is named if another rank waited this share of its time for it
    double false_alarms = 0.01; // share of reports that name a rank although all ranks have equal work
};

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
/// are correlated; noise that keeps to one rank for most of the loop makes this rank late.
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
[[nodiscard]] lateness_record find_lateness(exchange_passes const& loop, lateness_options options = {});

} // namespace sonde

#if SONDE_DEFINITIONS
#include <sonde/lateness/delay_costs.hpp>
#include <sonde/stat/order_statistics.hpp>
#include <sonde/stat/steps.hpp>

#include <algorithm>
#include <array>
#include <numeric>

namespace sonde::inline v0_1 {

namespace detail {

/// Finds the ranks and transfers to be named from the waiting and the delays of a loop.
class lateness_search {
public:
    lateness_search(exchange_passes const& loop, lateness_options options)
        : loop_{loop}, options_{options}, costs_{loop} {}

    lateness_record result();

private:
    static constexpr std::size_t blocks = 20;
    using by_block = std::array<seconds, blocks>;

    std::size_t block_of(std::size_t step) const { return step * blocks / loop_.steps.size(); }
    seconds loop_time() const { return found_.observed / loop_.ranks; } // of a rank

    void add_totals();
    void find_interval(by_block const& waiting, by_block const& observed);
    void find_late_ranks();
    void test_ranks(std::size_t exchange);
    bool name(late_rank found, std::vector<std::size_t> const& steps, std::vector<bool> const& late);
    std::vector<bool> steady_delays(std::vector<seconds> const& delays) const;
    std::vector<bool> delays_in_some_steps(std::vector<seconds> const& delays) const;
    std::vector<bool> large_delays(std::vector<seconds> const& delays) const;
    late_work explain(int rank, std::vector<std::size_t> const& steps, std::vector<bool> const& late,
                      seconds lateness) const;
    void find_slow_transfers();
    void find_slow_transfers(std::size_t exchange);
    void find_effects();
    void find_effects(std::size_t exchange, std::string const& scope, auto time_of);
    std::vector<std::size_t> steps_of(std::size_t exchange, int rank) const;
    double false_alarms() const; // of a test of a rank in an exchange

    exchange_passes const& loop_;
    lateness_options options_;
    delay_costs costs_;
    lateness_record found_;
    std::vector<seconds> delays_; // sum of each rank in the steps in which it is late by a test
};

SONDE_INLINE lateness_record lateness_search::result() {
    found_.steps = loop_.steps.size();
    found_.clock_error = loop_.clock_error;
    found_.enough_steps = found_.steps >= 2 * blocks;
    add_totals();
    if (found_.enough_steps && loop_.ranks > 1) {
        find_late_ranks();
        find_slow_transfers();
    }
    if (found_.enough_steps) find_effects();
    return std::move(found_);
}

SONDE_INLINE void lateness_search::add_totals() {
    for (auto const& e : loop_.exchanges) found_.exchanges.push_back({e.name});
    by_block waiting{}, observed{};
    found_.ranks.resize(static_cast<std::size_t>(loop_.ranks));
    std::vector<seconds> left(found_.ranks.size());
    for (std::size_t s = 0; s != loop_.steps.size(); ++s) {
        auto& exchange = found_.exchanges[loop_.steps[s].exchange];
        if (exchange.passes++ == 0) exchange.unexamined = loop_.steps[s].number;
        for (int r = 0; r != loop_.ranks; ++r) {
            auto const i = static_cast<std::size_t>(r);
            if (costs_.counted(s, r)) {
                exchange.waiting += costs_.waiting(s, r);
                exchange.transfer += costs_.transfer(s, r);
                found_.ranks[i].waiting += costs_.waiting(s, r);
                waiting[block_of(s)] += costs_.waiting(s, r);
                observed[block_of(s)] += loop_.pass(s, r).exit - left[i];
            }
            if (loop_.pass(s, r).present) left[i] = loop_.pass(s, r).exit;
        }
    }
    for (auto const& time : observed) found_.observed += time;
    for (int r = 0; r != loop_.ranks; ++r) {
        found_.ranks[static_cast<std::size_t>(r)].caused_by_work = costs_.caused_by_work(r);
        found_.ranks[static_cast<std::size_t>(r)].caused_by_transfer = costs_.caused_by_transfer(r);
    }
    if (found_.enough_steps) find_interval(waiting, observed);
}

/// 95 % interval of a ratio of sums from its blocks (Cochran, Sampling Techniques, 1977, 6.3), by Student's t.
SONDE_INLINE void lateness_search::find_interval(by_block const& waiting, by_block const& observed) {
    if (!(seconds{} < found_.observed)) return;
    constexpr double t = 2.093; // 0.975 quantile for 19 degrees of freedom
    auto const share = waiting_share(found_);
    double squares = 0;
    for (std::size_t b = 0; b != blocks; ++b) {
        auto const residual = (waiting[b] - share * observed[b]).count();
        squares += residual * residual;
    }
    auto const margin = t * square_root(squares / (blocks - 1) / blocks) * blocks / found_.observed.count();
    found_.low = std::max(0.0, share - margin);
    found_.high = std::min(1.0, share + margin);
}

SONDE_INLINE double lateness_search::false_alarms() const {
    return options_.false_alarms / 3 / loop_.ranks / static_cast<double>(loop_.exchanges.size());
}

/// P-value of a rank that is among the first m of so many blocks, from its places (0 is first) in the blocks.
SONDE_INLINE double p_of_places(std::vector<int> const& places, int ranks) {
    auto least = 1.0;
    int tried = 0;
    for (int m = 1; m == 1 || m <= ranks / 2; m *= 2, ++tried) {
        std::size_t count = 0;
        for (auto const place : places) count += place < m;
        least = std::min(least, binomial_tail(places.size(), static_cast<double>(m) / ranks, count));
    }
    return least * tried;
}

/// The places of each rank in the blocks by descending value; equal values share the last place.
SONDE_INLINE std::vector<std::vector<int>> places_of(std::vector<std::vector<double>> const& ranks) {
    std::vector<std::vector<int>> places(ranks.size());
    for (std::size_t b = 0; b != ranks[0].size(); ++b) {
        std::vector<double> ascending;
        for (auto const& of_rank : ranks) ascending.push_back(of_rank[b]);
        std::sort(ascending.begin(), ascending.end());
        for (std::size_t r = 0; r != ranks.size(); ++r) {
            auto const not_smaller =
                ascending.end() - std::lower_bound(ascending.begin(), ascending.end(), ranks[r][b]);
            places[r].push_back(static_cast<int>(not_smaller) - 1);
        }
    }
    return places;
}

SONDE_INLINE void lateness_search::find_late_ranks() {
    delays_.resize(found_.ranks.size());
    for (std::size_t e = 0; e != loop_.exchanges.size(); ++e) test_ranks(e);
    auto const most = *std::max_element(delays_.begin(), delays_.end());
    auto const rivals = std::count_if(delays_.begin(), delays_.end(), [&](seconds d) { return most <= 2 * d; });
    if (2 * rivals > loop_.ranks) found_.late.clear(); // they take turns
    std::stable_sort(found_.late.begin(), found_.late.end(),
                     [](late_rank const& a, late_rank const& b) { return b.caused < a.caused; });
}

SONDE_INLINE void lateness_search::test_ranks(std::size_t exchange) {
    std::vector<std::size_t> steps; // in which all ranks that have the exchange took part
    for (std::size_t s = 0; s != loop_.steps.size(); ++s)
        if (loop_.steps[s].exchange == exchange) steps.push_back(s);
    if (steps.size() < blocks) return;
    auto const ranks = static_cast<std::size_t>(loop_.ranks);
    std::vector<std::vector<double>> firsts(ranks, std::vector<double>(blocks)), sums = firsts;
    for (std::size_t k = 0; k != steps.size(); ++k) {
        int largest = -1;
        for (int r = 0; r != loop_.ranks; ++r) {
            if (!costs_.counted(steps[k], r)) continue;
            auto const delay = costs_.work_excess(steps[k], r);
            sums[static_cast<std::size_t>(r)][k * blocks / steps.size()] += std::max(delay, seconds{}).count();
            if (largest < 0 || costs_.work_excess(steps[k], largest) < delay) largest = r;
        }
        if (largest >= 0) firsts[static_cast<std::size_t>(largest)][k * blocks / steps.size()] += 1;
    }
    auto const by_count = places_of(firsts), by_sum = places_of(sums);
    for (int r = 0; r != loop_.ranks; ++r) {
        auto const i = static_cast<std::size_t>(r);
        auto const own = steps_of(exchange, r);
        std::vector<seconds> delays;
        for (auto const s : own) delays.push_back(costs_.work_excess(s, r));
        late_rank const found{
            .rank = r, .caused = costs_.caused_by_work(r), .exchange = loop_.exchanges[exchange].name};
        auto const steady = p_of_places(by_count[i], loop_.ranks) <= false_alarms();
        auto const worth_a_look = std::accumulate(sums[i].begin(), sums[i].end(), 0.0) >=
                                  options_.effect / 2 * loop_time().count(); // it takes milliseconds
        auto const regular = static_cast<int>(steady && name(found, own, steady_delays(delays))) +
                             static_cast<int>(worth_a_look && name(found, own, delays_in_some_steps(delays)));
        if (regular == 0 && p_of_places(by_sum[i], loop_.ranks) <= false_alarms())
            name(found, own, large_delays(delays));
    }
}

/// Names a rank for its late steps, if their delays have the effect. A rank is named once: for the exchange and the
/// steps with the larger sum of delays. Returns false if it is named neither for these steps nor for others.
SONDE_INLINE bool lateness_search::name(late_rank found, std::vector<std::size_t> const& steps,
                                        std::vector<bool> const& late) {
    std::vector<seconds> delays;
    for (std::size_t k = 0; k != late.size(); ++k) {
        if (!late[k]) continue;
        delays.push_back(costs_.work_excess(steps[k], found.rank));
        found.steps.push_back(loop_.steps[steps[k]].number);
    }
    found.lateness = lower_median(delays);
    found.of_steps = steps.size();
    auto const sum_of = [](late_rank const& l) { return l.lateness * static_cast<double>(l.steps.size()); };
    if (delays.empty() || found.lateness <= loop_.clock_error) return false;
    auto& delay = delays_[static_cast<std::size_t>(found.rank)];
    delay = std::max(delay, sum_of(found));
    auto const least = options_.effect * loop_time();
    if (sum_of(found) < least || costs_.worst_caused_by_work(found.rank) < least) return false;
    auto const known =
        std::find_if(found_.late.begin(), found_.late.end(), [&](late_rank const& l) { return l.rank == found.rank; });
    if (known != found_.late.end() && sum_of(found) <= sum_of(*known)) return true;
    found.work = explain(found.rank, steps, late, found.lateness);
    if (known == found_.late.end()) found_.late.push_back(std::move(found));
    else *known = std::move(found);
    return true;
}

/// The delays of at least half of the median delay.
SONDE_INLINE std::vector<bool> lateness_search::steady_delays(std::vector<seconds> const& delays) const {
    auto const least = lower_median(delays) / 2;
    std::vector<bool> late;
    for (auto const d : delays) late.push_back(seconds{} < least && least <= d);
    return late;
}

/// The delays of the period, of the burst, or from or up to the change point, that costs most time.
SONDE_INLINE std::vector<bool> lateness_search::delays_in_some_steps(std::vector<seconds> const& delays) const {
    std::vector<bool> late(delays.size());
    std::vector<double> times;
    for (auto const d : delays) times.push_back(d.count());
    auto const step = loop_time() / static_cast<double>(std::max<std::size_t>(delays.size(), 1));
    for (auto const& e : find_step_effects({times.data(), times.size()},
                                           {.false_alarms = false_alarms(), .effect = options_.effect, .step = step})) {
        auto const ends = e.kind == step_effect_kind::change_point && e.excess < seconds{};
        if (e.kind == step_effect_kind::drift || (e.excess < seconds{} && !ends)) continue;
        if (ends) std::fill_n(late.begin(), e.steps.front(), true);
        else
            for (auto const s : e.steps) late[s] = true;
        break;
    }
    return late;
}

/// The delays of at least half of the typical delay: half of the sum of a block comes from delays of at least this
/// size, by the median of the blocks, so that a single long delay does not count.
SONDE_INLINE std::vector<bool> lateness_search::large_delays(std::vector<seconds> const& delays) const {
    std::array<std::vector<seconds>, blocks> parts;
    for (std::size_t k = 0; k != delays.size(); ++k)
        if (seconds{} < delays[k]) parts[k * blocks / delays.size()].push_back(delays[k]);
    std::vector<seconds> sizes;
    for (auto& block : parts) {
        if (block.empty()) continue;
        std::sort(block.begin(), block.end(), [](seconds a, seconds b) { return b < a; });
        seconds sum{}, part{};
        for (auto const d : block) sum += d;
        std::size_t i = 0;
        while (part += block[i], 2 * part < sum) ++i;
        sizes.push_back(block[i]);
    }
    auto const least = lower_median(sizes) / 2;
    std::vector<bool> late;
    for (auto const d : delays) late.push_back(seconds{} < least && least <= d);
    return late;
}

/// The steps of an exchange in which the rank took part, except for its first one.
SONDE_INLINE std::vector<std::size_t> lateness_search::steps_of(std::size_t exchange, int rank) const {
    std::vector<std::size_t> steps;
    for (std::size_t s = 0; s != loop_.steps.size(); ++s)
        if (loop_.steps[s].exchange == exchange && costs_.counted(s, rank)) steps.push_back(s);
    return steps;
}

/// The scope of work that took longest beyond its typical time in the late steps, if that is at least half of the
/// lateness. The typical time is the rank's own in the other steps, if it was late in less than half of the steps, and
/// otherwise the time of the other ranks.
SONDE_INLINE late_work lateness_search::explain(int rank, std::vector<std::size_t> const& steps,
                                                std::vector<bool> const& late, seconds lateness) const {
    late_work found;
    found.of_other_steps = 2 * std::count(late.begin(), late.end(), true) < static_cast<std::ptrdiff_t>(late.size());
    auto most = lateness / 2;
    for (std::size_t w = 0; w != loop_.works.size(); ++w) {
        std::vector<seconds> in_late_steps, otherwise;
        for (std::size_t i = 0; i != steps.size(); ++i) {
            auto const time = loop_.work_time(steps[i], rank, w);
            if (late[i]) in_late_steps.push_back(time);
            else if (found.of_other_steps) otherwise.push_back(time);
            for (int r = 0; r != loop_.ranks && !found.of_other_steps; ++r)
                if (r != rank && costs_.counted(steps[i], r)) otherwise.push_back(loop_.work_time(steps[i], r, w));
        }
        auto const time = lower_median(in_late_steps), typical = lower_median(otherwise);
        if (time - typical < most) continue;
        most = time - typical;
        found.name = loop_.works[w];
        found.typical = typical;
        found.ratio = seconds{} < typical ? time / typical : 0;
    }
    return found;
}

SONDE_INLINE void lateness_search::find_slow_transfers() {
    if (loop_.ranks < 4 || loop_.oversubscribed) return;
    for (std::size_t e = 0; e != loop_.exchanges.size(); ++e) find_slow_transfers(e);
}

SONDE_INLINE void lateness_search::find_slow_transfers(std::size_t exchange) {
    auto const ranks = static_cast<std::size_t>(loop_.ranks);
    std::vector<by_block> transfers(ranks);
    std::vector<seconds> excess(ranks);
    std::vector<std::vector<seconds>> times(ranks);
    for (int r = 0; r != loop_.ranks; ++r)
        for (auto const s : steps_of(exchange, r)) {
            auto const i = static_cast<std::size_t>(r);
            transfers[i][block_of(s)] += costs_.transfer(s, r);
            excess[i] += costs_.transfer_excess(s, r);
            times[i].push_back(costs_.transfer(s, r));
        }
    std::array<seconds, blocks> typical;
    for (std::size_t b = 0; b != blocks; ++b) {
        std::vector<seconds> block;
        for (auto const& t : transfers) block.push_back(t[b]);
        typical[b] = lower_median(block);
    }
    slow_transfer slow{.exchange = loop_.exchanges[exchange].name};
    std::vector<seconds> others, medians;
    for (std::size_t r = 0; r != ranks; ++r) {
        std::size_t count = 0;
        for (std::size_t b = 0; b != blocks; ++b) count += 1.5 * typical[b] < transfers[r][b];
        auto const often = binomial_tail(blocks, 0.5, count) * loop_.ranks <= options_.false_alarms;
        auto const is_slow = often && options_.effect * loop_time() < excess[r];
        (is_slow ? medians : others).push_back(lower_median(times[r]));
        if (!is_slow) continue;
        slow.ranks.push_back(static_cast<int>(r));
        slow.caused += costs_.caused_by_transfer(static_cast<int>(r));
    }
    if (slow.ranks.empty()) return;
    auto const least = *std::min_element(medians.begin(), medians.end()), usual = lower_median(others);
    slow.ratio = seconds{} < usual ? least / usual : 0;
    found_.slow_transfers.push_back(std::move(slow));
}

/// Each series has a part of the rate of false alarms: of the work before each exchange, and of its transfers.
SONDE_INLINE void lateness_search::find_effects() {
    for (std::size_t e = 0; e != loop_.exchanges.size(); ++e) {
        for (std::size_t w = 0; w != loop_.works.size(); ++w)
            find_effects(e, loop_.works[w], [&](std::size_t s, int r) { return loop_.work_time(s, r, w); });
        find_effects(e, loop_.exchanges[e].name, [&](std::size_t s, int r) { return costs_.transfer(s, r); });
    }
}

SONDE_INLINE void lateness_search::find_effects(std::size_t exchange, std::string const& scope, auto time_of) {
    std::vector<double> times;
    std::vector<std::size_t> numbers;
    for (std::size_t s = 0; s != loop_.steps.size(); ++s) {
        if (loop_.steps[s].exchange != exchange) continue;
        std::vector<seconds> of_ranks;
        for (int r = 0; r != loop_.ranks; ++r)
            if (costs_.counted(s, r)) of_ranks.push_back(time_of(s, r));
        if (of_ranks.empty()) continue;
        times.push_back(lower_median(of_ranks).count());
        numbers.push_back(loop_.steps[s].number);
    }
    auto const series = loop_.exchanges.size() * (loop_.works.size() + 1);
    step_options const options{.false_alarms = options_.false_alarms / static_cast<double>(series),
                               .effect = options_.effect,
                               .step = loop_time() / static_cast<double>(std::max<std::size_t>(times.size(), 1))};
    for (auto& effect : find_step_effects({times.data(), times.size()}, options)) {
        for (auto& s : effect.steps) s = numbers[s];
        found_.effects.push_back({scope, std::move(effect)});
    }
}

} // namespace detail

SONDE_INLINE lateness_record find_lateness(exchange_passes const& loop, lateness_options options) {
    return detail::lateness_search{loop, options}.result();
}

} // namespace sonde

#endif
