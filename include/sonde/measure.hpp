// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/combine.hpp>
#include <sonde/detail/samples_taken.hpp>
#include <sonde/detail/view.hpp>
#include <sonde/detail/warm_up.hpp>
#include <sonde/group.hpp>
#include <sonde/pattern.hpp>
#include <sonde/plan.hpp>
#include <sonde/record.hpp>
#include <sonde/statistics.hpp>
#include <sonde/time.hpp>
#include <sonde/time_batch.hpp>
#include <sonde/timer.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sonde {

namespace detail {

/// A reading of a clock as seconds since whatever it counts from.
template <class Reading>
seconds since_epoch(Reading const& at) {
    if constexpr (requires { at.time_since_epoch(); }) return at.time_since_epoch();
    else return at;
}

/// Take `count` samples. Memory is there before the first begins: no allocation, no reduction between samples.
template <Group G, class Plan, Pattern P>
void take(G& group, Plan& plan, P& pattern, std::size_t count, std::size_t before, samples_taken& into) {
    auto* const window = window_of(plan.synchronize);
    into.clear_for(count, window != nullptr);
    for (std::size_t i = 0; i != count; ++i) {
        plan.synchronize(group, before + i);
        auto const sample = time_batch(plan.clock, pattern, plan.batch_iterations);
        into.times.push_back(sample);
        if (window == nullptr) continue;
        into.begins.push_back(window->global(since_epoch(sample.begin)));
        into.ends.push_back(window->global(since_epoch(sample.end)));
        into.late.push_back(!window->valid());
    }
    for (auto& t : into.times) t /= static_cast<double>(plan.batch_iterations);
}

struct decision {
    verdict said;
    std::size_t next; // samples until the next look
};

/// What the rule says to a look, the same on all ranks.
template <Group G, StoppingRule R>
decision agree(G& group, R& rule, look const& seen, std::size_t samples_so_far) {
    auto const mine = rule(seen);
    auto const next = rule.next(samples_so_far);
    if (is_uniform(rule)) return {mine, next};
    std::array<double, 3> answer{mine.stop ? 1.0 : 0.0, static_cast<double>(mine.why), static_cast<double>(next)};
    share(group, answer);
    return {{answer[0] != 0, static_cast<stop_reason>(answer[1])}, static_cast<std::size_t>(answer[2])};
}

/// Throws std::invalid_argument, on all ranks, where plans differ in warm-up, batch or first block, because ranks would
/// wait for each other for ever, or where the plan is void. Collective over the group.
template <Group G, class Plan>
void require_equal(G& group, Plan const& plan) {
    std::array<double, 9> const mine{static_cast<double>(plan.warmup_iterations),
                                     static_cast<double>(plan.batch_iterations),
                                     static_cast<double>(plan.rule.next(0)),
                                     static_cast<double>(plan.keeps.samples),
                                     plan.keeps.sample_means ? 1.0 : 0.0,
                                     plan.keeps.rank_means ? 1.0 : 0.0,
                                     plan.batch_by_timer ? 1.0 : 0.0,
                                     plan.warms_until_stable ? 1.0 : 0.0,
                                     plan.stable.tolerance};
    if (!equal_on_all(group, mine)) throw std::invalid_argument{"sonde::run: the plan must be equal on all ranks"};
    plan.validate(); // not before: a rank with a void plan must not leave the others waiting
}

/// Rank 0's time since sampling began; a uniform rule is shown none, and costs no reading of the clock.
template <Clock C>
class elapsed_time {
public:
    elapsed_time(C& clock, bool asked) : clock_{&clock}, asked_{asked} {
        if (asked) begin_ = clock.now();
    }
    seconds operator()() const { return asked_ ? seconds{clock_->now() - begin_} : seconds{}; }

private:
    C* clock_;
    bool asked_;
    decltype(std::declval<C&>().now()) begin_{};
};

/// Throws std::runtime_error, on all ranks, where nearly every sample begins too late: redoing would never end.
inline void require_some_in_time(record const& r, std::size_t taken) {
    if (r.global && r.global->redone >= 1000 && r.global->redone > taken / 10 * 9)
        throw std::runtime_error{"sonde::run: 9 in 10 samples begin too late; the window needs more slack"};
}

/// Sample until the rule says stop.
template <Group G, class Plan, Pattern P>
own_samples sample(G& group, Plan& plan, P& pattern, record& into) {
    own_samples mine{plays(pattern)};
    samples_taken block;
    elapsed_time const elapsed{plan.clock, !is_uniform(plan.rule)};
    auto const resolution = into.timer.quantum / static_cast<double>(into.batch);
    decision answer{{}, plan.rule.next(0)};
    do {
        take(group, plan, pattern, answer.next == 0 ? 1 : answer.next, mine.taken, block);
        auto const so_far = elapsed();
        mine.taken += block.times.size();
        auto const counted = add_block(group, block, plan.keeps, mine, into);
        require_some_in_time(into, mine.taken);
        if (auto* const window = window_of(plan.synchronize); window != nullptr)
            window->observed(block.times.size() - counted.size(), block.times.size());
        answer = agree(group, plan.rule, look{from(counted), so_far, from(into.series), mine.counted, resolution},
                       mine.counted);
    } while (!answer.said.stop);
    into.stopped = {answer.said.why, mine.counted};
    return mine;
}

inline seconds mean_of(std::vector<seconds> const& times) {
    double sum = 0;
    for (auto const t : times) sum += t.count();
    return seconds{sum / static_cast<double>(times.size())};
}

inline bool timer_limited(record const& r) {
    return static_cast<double>(r.batch) * mean_of(r.series) < least_sample(r.timer);
}

/// Is a sample too short for the clock, is it more of the ranks' skew than of the operation, was the clock off?
inline flags flags_of(record const& r) {
    flags found{.timer_limited = timer_limited(r)};
    if (!r.global) return found;
    auto const k = static_cast<double>(r.batch);
    found.skew_dominated = 10 * median(from(r.global->entry_skews)) > k * median(from(r.global->series));
    found.clock_drift = r.global->drift > seconds{1e-6} || r.global->drift > 0.05 * k * median(from(r.series));
    return found;
}

} // namespace detail

/// Measure a pattern as planned. Collective over the group; the record is equal on all ranks.
///
/// warm-up, then (synchronize, `time_batch`) until the rule says stop, then one reduction of what the ranks found.
/// The plan must be equal on all ranks. Throws std::invalid_argument, before the first reading of the clock, for a plan
/// that is void, or differs in warm-up, batch or first block. What the pattern throws comes out on that rank alone: end
/// the job then (`mpi::guarded`), the others wait for it.
template <Group G, class Plan, Pattern P>
    requires Synchronizer<decltype(Plan::synchronize), G>
record run(G& group, Plan plan, P&& pattern, point at = {}) {
    detail::require_equal(group, plan);
    record found;
    found.at = std::move(at);
    found.timer = timer_of(plan.clock);
    auto const warmed = plan.warms_until_stable || plan.warmup_iterations != 0;
    auto const first = detail::warm_up(group, plan, pattern);
    if (plan.batch_by_timer) plan.batch_iterations = detail::batch_for_timer(group, plan, pattern, found.timer);
    found.batch = plan.batch_iterations;
    auto* const window = detail::window_of(plan.synchronize);
    if (window != nullptr) found.global.emplace();
    auto const mine = detail::sample(group, plan, pattern, found);
    detail::combine(group,
                    {mine.who == role::initiator, moves(pattern), mine.mean(), warmed ? first : mine.first, found.timer,
                     mine.slowest},
                    found);
    if (plan.keeps.rank_means) found.rank_means = detail::gather(group, mine.mean());
    if (window != nullptr) found.global->drift = window->check(group);
    if (window != nullptr) found.global->bound = window->bound();
    found.flags = detail::flags_of(found);
    return found;
}

} // namespace sonde
