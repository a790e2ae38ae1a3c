// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/combine.hpp>
#include <sonde/detail/view.hpp>
#include <sonde/group.hpp>
#include <sonde/pattern.hpp>
#include <sonde/plan.hpp>
#include <sonde/record.hpp>
#include <sonde/time.hpp>
#include <sonde/timer.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sonde {

/// The only timed code in the library.
template <Clock C, Pattern P>
seconds time_batch(C& clock, P& pattern, std::size_t n) {
    auto const begin = clock.now();
    in_role(pattern, [n](auto&& iteration) {
        for (std::size_t i = 0; i != n; ++i) iteration();
    });
    complete(pattern);
    auto const end = clock.now();
    return end - begin;
}

namespace detail {

/// Iterate without keeping times, synchronized as the samples will be; the time of the first iteration.
template <Group G, class Plan, Pattern P>
seconds warm_up(G& group, Plan& plan, P& pattern) {
    seconds first{};
    for (std::size_t i = 0; i != plan.warmup_iterations; ++i) {
        plan.synchronize(group, i);
        if (i == 0) {
            first = time_batch(plan.clock, pattern, 1);
        } else {
            pattern();
            complete(pattern);
        }
    }
    return first;
}

/// Append `count` samples. Memory is there before the first begins: no allocation, no reduction between samples.
template <Group G, class Plan, Pattern P>
void take(G& group, Plan& plan, P& pattern, std::size_t count, std::vector<seconds>& times) {
    times.reserve(times.size() + count);
    for (; count != 0; --count) {
        plan.synchronize(group, times.size());
        times.push_back(time_batch(plan.clock, pattern, plan.batch_iterations));
    }
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
    if constexpr (uniform<R>) {
        return {mine, next};
    } else {
        std::array<double, 3> answer{mine.stop ? 1.0 : 0.0, static_cast<double>(mine.why), static_cast<double>(next)};
        share(group, answer);
        return {{answer[0] != 0, static_cast<stop_reason>(answer[1])}, static_cast<std::size_t>(answer[2])};
    }
}

/// Throws std::invalid_argument, on all ranks, where plans differ in warm-up, batch or first block, because ranks would
/// wait for each other for ever, or where the plan is void. Collective over the group.
template <Group G, class Plan>
void require_equal(G& group, Plan const& plan) {
    std::array<std::size_t, 4> const mine{plan.warmup_iterations, plan.batch_iterations, plan.rule.next(0),
                                          std::size_t{plan.keeps.sample_means} +
                                              2 * std::size_t{plan.keeps.rank_means}};
    std::array<double, mine.size()> numbers{};
    for (std::size_t i = 0; i != mine.size(); ++i) numbers[i] = static_cast<double>(mine[i]);
    if (!equal_on_all(group, numbers)) throw std::invalid_argument{"sonde::run: the plan must be equal on all ranks"};
    plan.validate(); // not before: a rank with a void plan must not leave the others waiting
}

/// Sample until the rule says stop; this rank's own times come back, the slowest rank's go into the record.
template <Group G, class Plan, Pattern P>
std::vector<seconds> sample(G& group, Plan& plan, P& pattern, record& into) {
    auto const counts = plays(pattern) == role::initiator;
    std::vector<seconds> mine;
    auto const now = [&] {
        if constexpr (uniform<decltype(plan.rule)>) return 0; // such a rule is shown no time: no reading for it
        else return plan.clock.now();
    };
    auto const begin = now();
    decision answer{{}, plan.rule.next(0)};
    do {
        auto const seen = mine.size();
        take(group, plan, pattern, answer.next == 0 ? 1 : answer.next, mine);
        seconds const elapsed{now() - begin};
        for (auto i = seen; i != mine.size(); ++i) mine[i] /= static_cast<double>(plan.batch_iterations);
        append_slowest(group, from(mine, seen), counts, into.series);
        if (plan.keeps.sample_means) append_means(group, from(mine, seen), counts, into.sample_means);
        answer = agree(group, plan.rule, look{from(into.series, seen), elapsed}, mine.size());
    } while (!answer.said.stop);
    into.stopped = {answer.said.why, mine.size()};
    return mine;
}

inline seconds mean_of(std::vector<seconds> const& times) {
    double sum = 0;
    for (auto const t : times) sum += t.count();
    return seconds{sum / static_cast<double>(times.size())};
}

/// SC15's rule (Hoefler and Belli, Scientific benchmarking of parallel computing systems, 4.2.1): the clock's cost
/// below 5 % of what is timed; and its step below 1 %.
inline bool timer_limited(record const& r) {
    auto const sample = mean_of(r.series).count() * static_cast<double>(r.batch);
    return sample < 20 * r.timer.bias.count() || sample < 100 * r.timer.quantum.count();
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
    auto const clock = timer_of(plan.clock);
    record found;
    found.at = std::move(at);
    found.batch = plan.batch_iterations;
    auto const first = detail::warm_up(group, plan, pattern);
    auto const mine = detail::sample(group, plan, pattern, found);
    detail::combine(group,
                    {plays(pattern) == role::initiator, moves(pattern), detail::mean_of(mine),
                     plan.warmup_iterations == 0 ? mine.front() : first, clock},
                    found);
    if (plan.keeps.rank_means) found.rank_means = detail::gather(group, detail::mean_of(mine));
    found.flags.timer_limited = detail::timer_limited(found);
    return found;
}

} // namespace sonde
