// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>
#include <sonde/pattern.hpp>
#include <sonde/plan.hpp>
#include <sonde/record.hpp>
#include <sonde/stats/order_statistics.hpp>
#include <sonde/stop.hpp>
#include <sonde/sync.hpp>
#include <sonde/time.hpp>

#include <array>
#include <cstddef>
#include <exception>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sonde::detail {

/// Two readings of a clock; converts to the elapsed time.
template <class Reading>
struct time_span {
    Reading begin;
    Reading end;
    operator seconds() const { return end - begin; }
};
template <class Reading>
time_span(Reading, Reading) -> time_span<Reading>;

/// Time n iterations of a pattern. This is the only timed code in the library. It is not inlined, so that a pattern
/// runs the same machine code wherever it is measured, with registers of its own: copies of a short loop at other
/// addresses can differ twofold.
template <Clock C, Pattern P>
[[gnu::noinline]] auto time_batch(C& clock, P& pattern, std::size_t n) {
    auto const begin = clock.now();
    sonde::in_role(pattern, [n](auto&& iteration) {
        for (std::size_t i = 0; i != n; ++i) iteration();
    });
    sonde::complete(pattern);
    auto const end = clock.now();
    return time_span{begin, end};
}

/// The samples since the previous evaluation of the stopping rule. Memory is reused from block to block.
struct sample_block {
    /// Quantities per sample that a max reduction combines; without a global clock only `time`.
    enum quantity : std::size_t { time, is_late, negated_begin, begin, negated_end, end, quantities };

    std::vector<seconds> times;  // this rank's, per iteration
    std::vector<seconds> begins; // by the global clock, as `ends` and `late`; empty without one
    std::vector<seconds> ends;
    std::vector<bool> late;
    std::vector<double> maxima;    // over ranks
    std::vector<seconds> slowest;  // the slowest rank's times, of samples in time
    std::vector<seconds> retained; // this rank's times of samples in the series

    void reset(std::size_t count, bool global_clock) {
        for (auto* const v : {&times, &begins, &ends, &slowest, &retained}) v->clear();
        late.clear();
        times.reserve(count);
        slowest.reserve(count);
        if (!global_clock) return;
        begins.reserve(count);
        ends.reserve(count);
        late.reserve(count);
    }
    double& max(quantity q, std::size_t sample) { return maxima[q * times.size() + sample]; }
};

/// Sums over this rank's samples.
struct rank_samples {
    sonde::role role;
    std::size_t taken = 0;   // samples, the late ones included
    std::size_t counted = 0; // samples, without the late ones
    seconds sum{};           // of the times per iteration
    seconds first{};
    std::size_t slowest = 0; // number of samples in which this rank was the slowest, ties included

    void add(seconds t, bool is_slowest) {
        if (counted++ == 0) first = t;
        sum += t;
        slowest += is_slowest;
    }
    bool counts() const { return role == role::initiator; }
    seconds mean() const { return sum / static_cast<double>(counted); }
};

/// Take sample i.
template <Group G, class Plan, Pattern P>
void take_sample(G& group, Plan& plan, P& pattern, std::size_t i, sample_block& into) {
    [[maybe_unused]] auto* const global = detail::global_clock_of(plan.synchronize);
    plan.synchronize(group, i);
    auto const sample = detail::time_batch(plan.clock, pattern, plan.batch_iterations);
    into.times.push_back(static_cast<seconds>(sample) / static_cast<double>(plan.batch_iterations));
    if constexpr (requires { plan.synchronize.global_clock(); }) { // otherwise the readings need no epoch
        if (global == nullptr) return;
        into.begins.push_back(global->to_global(sonde::since_epoch(sample.begin)));
        into.ends.push_back(global->to_global(sonde::since_epoch(sample.end)));
        into.late.push_back(!global->on_time());
    }
}

/// Take `count` samples, the first with index `index`. Memory is reserved before the first begins: no allocation and no
/// reduction between samples.
template <Group G, class Plan, Pattern P>
void take_block(G& group, Plan& plan, P& pattern, std::size_t count, std::size_t index, sample_block& into) {
    into.reset(count, detail::global_clock_of(plan.synchronize) != nullptr);
    for (std::size_t i = 0; i != count; ++i) detail::take_sample(group, plan, pattern, index + i, into);
}

/// Find the slowest rank's times of a block, and with a global clock the extremes of begins and ends. Idle ranks
/// contribute nothing, responders no times. Collective over the group.
template <Group G>
void reduce_block(G& group, sample_block& block, role mine) {
    auto const n = block.times.size();
    auto const global = !block.begins.empty();
    block.maxima.assign(n * (global ? std::size_t{block.quantities} : 1), no_value);
    for (std::size_t i = 0; i != n && mine != role::idle; ++i) {
        if (mine == role::initiator) block.max(block.time, i) = block.times[i].count();
        if (!global) continue;
        block.max(block.is_late, i) = block.late[i] ? 1 : 0;
        block.max(block.negated_begin, i) = -block.begins[i].count();
        block.max(block.begin, i) = block.begins[i].count();
        block.max(block.negated_end, i) = -block.ends[i].count();
        block.max(block.end, i) = block.ends[i].count();
    }
    group.all_reduce(std::span<double>{block.maxima.data(), block.maxima.size()}, reduction::max);
}

/// Append the global times of sample i, unless all ranks are idle.
inline void append_global(sample_block& block, std::size_t i, std::size_t batch, global_times& into) {
    auto const first_begin = -block.max(block.negated_begin, i), last_begin = block.max(block.begin, i);
    auto const first_end = -block.max(block.negated_end, i), last_end = block.max(block.end, i);
    if (last_begin == no_value) return;
    into.series.emplace_back((last_end - first_begin) / static_cast<double>(batch));
    into.entry_skews.emplace_back(last_begin - first_begin);
    into.exit_skews.emplace_back(last_end - first_end);
}

/// Append the mean over initiators of each time to `means`; 0 without initiators. Collective over the group.
template <Group G>
void append_means(G& group, std::span<seconds const> times, bool counts, std::vector<seconds>& means) {
    std::vector<double> sums;
    for (auto const t : times) sums.push_back(counts ? t.count() : 0);
    sums.push_back(counts ? 1 : 0);
    group.all_reduce(sums, reduction::sum);
    for (std::size_t i = 0; i != times.size(); ++i) means.emplace_back(sums.back() == 0 ? 0 : sums[i] / sums.back());
}

/// Add a block to the record and to this rank's sums, and set `block.slowest`. Collective over the group.
template <Group G>
void add_block(G& group, sample_block& block, keep_options keep, rank_samples& mine, record& into) {
    detail::reduce_block(group, block, mine.role);
    for (std::size_t i = 0; i != block.times.size(); ++i) {
        if (into.global && block.max(block.is_late, i) == 1) {
            ++into.global->late_samples;
            continue;
        }
        auto const max = block.max(block.time, i);
        auto const slowest = seconds{max == no_value ? 0 : max};
        block.slowest.push_back(slowest);
        mine.add(block.times[i], mine.counts() && !(block.times[i] < slowest));
        if (into.series.size() == keep.max_samples()) {
            if (into.overflow.empty()) into.overflow.emplace_back();
            into.overflow.front().add(slowest);
            continue;
        }
        into.series.push_back(slowest);
        if (keep.sample_means) block.retained.push_back(block.times[i]);
        if (into.global) append_global(block, i, into.batch, *into.global);
    }
    if (keep.sample_means) detail::append_means(group, as_span(block.retained), mine.counts(), into.sample_means);
}

/// A decision, and the number of samples before the next evaluation.
struct evaluation {
    sonde::decision decision;
    std::size_t next;
};

/// Broadcast the decision of rank 0's rule. If the rule throws on rank 0, all ranks throw. Collective over the group.
template <Group G, StoppingRule R>
evaluation evaluate_on_root(G& group, R& rule, progress const& seen) {
    std::array<double, 4> answer{};
    std::exception_ptr failure;
    if (group.rank() == 0) try {
            auto const made = static_cast<decision>(rule(seen));
            answer = {made.stop ? 1.0 : 0.0, static_cast<double>(made.reason),
                      static_cast<double>(block_size(rule.next(seen.samples))), 0};
        } catch (...) {
            failure = std::current_exception();
            answer[3] = 1;
        }
    sonde::broadcast(group, answer);
    if (failure) std::rethrow_exception(failure);
    if (answer[3] != 0) throw std::runtime_error{"sonde::run: the stopping rule threw an exception on rank 0"};
    return {{answer[0] != 0, static_cast<stop_reason>(answer[1])}, static_cast<std::size_t>(answer[2])};
}

/// Evaluate the stopping rule, with the same result on all ranks. Rules whose schedules were compared before the run
/// need no message. Collective over the group.
template <Group G, StoppingRule R>
evaluation evaluate(G& group, R& rule, bool known_schedule, progress const& seen) {
    if (!known_schedule) return detail::evaluate_on_root(group, rule, seen);
    decision const made = rule(seen);
    return {made, rule.next(seen.samples)};
}

/// Time on this rank's clock since sampling began; 0, without a reading of the clock, for a uniform rule.
template <Clock C>
class elapsed_time {
public:
    elapsed_time(C& clock, bool needed) : clock_{&clock}, needed_{needed} {
        if (needed) begin_ = clock.now();
    }
    seconds operator()() const { return needed_ ? seconds{clock_->now() - begin_} : seconds{}; }

private:
    C* clock_;
    bool needed_;
    decltype(std::declval<C&>().now()) begin_{};
};

/// Throws std::runtime_error, on all ranks, if nearly every sample begins too late: repeating them would never end.
inline void require_some_in_time(record const& r, std::size_t taken) {
    if (r.global && r.global->late_samples >= 1000 && r.global->late_samples > taken / 10 * 9)
        throw std::runtime_error{"sonde::run: 9 in 10 samples begin too late; the synchronized start needs more slack"};
}

/// Sample until the stopping rule ends the series. Collective over the group.
template <Group G, class Plan, Pattern P>
rank_samples sample(G& group, Plan& plan, P& pattern, record& into, bool known_schedule) {
    rank_samples mine{sonde::plays(pattern)};
    sample_block block;
    elapsed_time const elapsed{plan.clock, !sonde::is_uniform(plan.rule)};
    auto const resolution = into.clock_properties.resolution / static_cast<double>(into.batch);
    evaluation latest{{}, plan.rule.next(0)};
    do {
        detail::take_block(group, plan, pattern, block_size(latest.next), mine.taken, block);
        auto const so_far = elapsed();
        mine.taken += block.times.size();
        detail::add_block(group, block, plan.retention, mine, into);
        detail::require_some_in_time(into, mine.taken);
        latest =
            detail::evaluate(group, plan.rule, known_schedule,
                             progress{as_span(block.slowest), so_far, as_span(into.series), mine.counted, resolution});
    } while (!latest.decision.stop || mine.counted == 0); // a record has a sample, even if the first ones were late
    into.stop = {latest.decision.reason, mine.counted};
    return mine;
}

} // namespace sonde::detail
