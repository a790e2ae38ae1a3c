// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clocks/reading.hpp>
#include <sonde/detail/samples_taken.hpp>
#include <sonde/detail/view.hpp>
#include <sonde/group.hpp>
#include <sonde/pattern.hpp>
#include <sonde/record.hpp>
#include <sonde/stop.hpp>
#include <sonde/sync.hpp>
#include <sonde/time.hpp>
#include <sonde/time_batch.hpp>

#include <array>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <utility>

namespace sonde::detail {

/// Take a sample, the i-th.
template <Group G, class Plan, Pattern P>
void take_one(G& group, Plan& plan, P& pattern, std::size_t i, samples_taken& into) {
    [[maybe_unused]] auto* const window = detail::window_of(plan.synchronize);
    plan.synchronize(group, i);
    auto const sample = sonde::time_batch(plan.clock, pattern, plan.batch_iterations);
    into.times.push_back(static_cast<seconds>(sample) / static_cast<double>(plan.batch_iterations));
    if constexpr (requires { plan.synchronize.window(); }) { // else the clock's instants need no epoch
        if (window == nullptr) return;
        into.begins.push_back(window->global(sonde::since_epoch(sample.begin)));
        into.ends.push_back(window->global(sonde::since_epoch(sample.end)));
        into.late.push_back(!window->valid());
    }
}

/// Take `count` samples. Memory is there before the first begins: no allocation, no reduction between samples.
template <Group G, class Plan, Pattern P>
void take(G& group, Plan& plan, P& pattern, std::size_t count, std::size_t before, samples_taken& into) {
    into.clear_for(count, detail::window_of(plan.synchronize) != nullptr);
    for (std::size_t i = 0; i != count; ++i) detail::take_one(group, plan, pattern, before + i, into);
}

struct decision {
    verdict said;
    std::size_t next; // samples until the next look
};

/// The decision of rank 0's rule, on all ranks. Where the rule throws on rank 0, all ranks throw. Collective over the
/// group.
template <Group G, StoppingRule R>
decision decision_of_root(G& group, R& rule, look const& seen, std::size_t samples_so_far) {
    std::array<double, 4> answer{};
    std::exception_ptr failure;
    if (group.rank() == 0) try {
            auto const said = static_cast<verdict>(rule(seen));
            answer = {said.stop ? 1.0 : 0.0, static_cast<double>(said.why),
                      static_cast<double>(size_of_block(rule.next(samples_so_far))), 0};
        } catch (...) {
            failure = std::current_exception();
            answer[3] = 1;
        }
    sonde::share(group, answer);
    if (failure) std::rethrow_exception(failure);
    if (answer[3] != 0) throw std::runtime_error{"sonde::run: the stopping rule threw an exception on rank 0"};
    return {{answer[0] != 0, static_cast<stop_reason>(answer[1])}, static_cast<std::size_t>(answer[2])};
}

/// What to do after a look, the same on all ranks. Rules whose known schedules were compared cost no message.
template <Group G, StoppingRule R>
decision decide(G& group, R& rule, bool known_schedule, look const& seen, std::size_t samples_so_far) {
    if (!known_schedule) return detail::decision_of_root(group, rule, seen, samples_so_far);
    verdict const said = rule(seen);
    return {said, rule.next(samples_so_far)};
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
own_samples sample(G& group, Plan& plan, P& pattern, record& into, bool known_schedule) {
    own_samples mine{sonde::plays(pattern)};
    samples_taken block;
    elapsed_time const elapsed{plan.clock, !sonde::is_uniform(plan.rule)};
    auto const resolution = into.timer.quantum / static_cast<double>(into.batch);
    decision answer{{}, plan.rule.next(0)};
    do {
        detail::take(group, plan, pattern, size_of_block(answer.next), mine.taken, block);
        auto const so_far = elapsed();
        mine.taken += block.times.size();
        detail::add_block(group, block, plan.keeps, mine, into);
        detail::require_some_in_time(into, mine.taken);
        answer = detail::decide(group, plan.rule, known_schedule,
                                look{from(block.slowest), so_far, from(into.series), mine.counted, resolution},
                                mine.counted);
    } while (!answer.said.stop || mine.counted == 0); // a record has a sample, also where the first began too late
    into.stopped = {answer.said.why, mine.counted};
    return mine;
}

} // namespace sonde::detail
