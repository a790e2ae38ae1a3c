// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/fingerprint.hpp>
#include <sonde/group.hpp>
#include <sonde/pattern.hpp>
#include <sonde/plan.hpp>
#include <sonde/stop.hpp>
#include <sonde/sync.hpp>

#include <array>
#include <cstddef>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace sonde::detail {

/// Add the schedule of a uniform rule, the number of samples at each evaluation until it stops. False if it needs more
/// than 2^16 evaluations: ranks might disagree later.
template <StoppingRule R>
bool add_schedule(R rule, fingerprint& into) {
    constexpr std::size_t max_evaluations = std::size_t{1} << 16;
    std::vector<seconds> times; // of the largest block so far
    for (std::size_t n = 0, evaluations = 0; evaluations != max_evaluations; ++evaluations) {
        auto const block = block_size(rule.next(n));
        if (times.size() < block) times.resize(block);
        n += block;
        auto const made = rule(progress{.block = {times.data(), block}, .samples = n});
        into.add(static_cast<double>(n));
        if (made.stop) return true;
    }
    return false;
}

template <class S>
double fingerprint_of_synchronizer(S& synchronize) {
    fingerprint found;
    found.add(type_name<S>()).add(detail::global_clock_of(synchronize) == nullptr ? 0 : 1);
    if constexpr (requires { synchronize.parameters(); })
        for (double const number : synchronize.parameters()) found.add(number);
    return found.value();
}

/// The parts of a plan that must be equal on all ranks, by their names in messages.
inline constexpr std::array plan_parts{"function or number of alternatives",
                                       "warm-up",
                                       "batch",
                                       "stopping rule",
                                       "synchronizer",
                                       "clock",
                                       "what the record keeps"};

/// True if `hops` and `shared_by` are positive, `bus_factor` is not negative (0 on a single rank), and all are finite.
inline bool is_valid(traffic const& t) {
    constexpr double max = std::numeric_limits<double>::max();
    return t.hops > 0 && t.hops <= max && t.bus_factor >= 0 && t.bus_factor <= max && t.shared_by != 0;
}

/// The numbers compared before a run: a fingerprint of each part of the plan, whether the traffic of a pattern is
/// invalid, and whether user code threw an exception on this rank while the fingerprints were taken. `known_schedule`:
/// the stopping rule is uniform, and its whole schedule is in its fingerprint.
struct plan_fingerprint {
    static constexpr std::size_t invalid_traffic = plan_parts.size(), threw = invalid_traffic + 1;

    std::array<double, threw + 1> numbers{};
    std::exception_ptr failure{};
    bool known_schedule = false;

    /// `function` is the function called with the plan.
    template <class Plan>
    plan_fingerprint(Plan& plan, bool valid_traffic, char const* function, std::size_t alternatives) {
        try {
            numbers = fingerprints_of(plan, function, alternatives);
        } catch (...) {
            failure = std::current_exception();
            numbers[threw] = 1;
        }
        numbers[invalid_traffic] = valid_traffic ? 0 : 1;
    }

private:
    template <class Plan>
    std::array<double, threw + 1> fingerprints_of(Plan& plan, char const* function, std::size_t alternatives) {
        auto const of = [](auto... values) {
            fingerprint found;
            (found.add(static_cast<double>(values)), ...);
            return found.value();
        };
        auto& rule = plan.rule;
        fingerprint schedule;
        schedule.add(type_name<std::remove_cvref_t<decltype(rule)>>()).add(static_cast<double>(rule.next(0)));
        for (double const number : detail::parameters_of(rule)) schedule.add(number);
        known_schedule = sonde::is_uniform(rule) && detail::add_schedule(rule, schedule.add("uniform"));
        auto const batched = plan.batch_by_timer || plan.batch_iterations != 1;
        auto const& keep = plan.retention;
        return {
            fingerprint{}.add(function).add(static_cast<double>(alternatives)).value(),
            plan.warmup_until_stable ? of(plan.stability.tolerance, plan.stability.max_time.count())
                                     : of(plan.warmup_iterations),
            of(plan.batch_by_timer ? 0 : plan.batch_iterations, batched && !detail::allows_batches(plan.synchronize)),
            schedule.value(),
            detail::fingerprint_of_synchronizer(plan.synchronize),
            fingerprint{}.add(type_name<decltype(plan.clock)>()).value(),
            of(keep.max_samples(), keep.sample_means, keep.rank_means)};
    }
};

/// Require a plan that is valid and equal on all ranks: ranks with different plans would wait for each other for ever.
/// Throws std::invalid_argument, on all ranks, if a part of the plan differs between ranks, if no measurement is
/// possible by it, or if the traffic of a pattern is invalid on a rank. Returns true if every rank may evaluate its own
/// stopping rule, since all rules have the same known schedule. Collective over the group; one reduction.
template <Group G, class Plan>
bool require_equal(G& group, Plan& plan, bool valid_traffic, char const* function = "run",
                   std::size_t alternatives = 1) {
    plan_fingerprint const mine{plan, valid_traffic, function, alternatives};
    auto const differ = detail::differences(group, mine.numbers);
    auto const refuse = [&](std::string const& reason) {
        throw std::invalid_argument{std::string{"sonde::"} + function + ": " + reason};
    };
    if (mine.failure) std::rethrow_exception(mine.failure);
    if (differ[mine.threw]) refuse("another rank threw an exception when its plan was compared");
    std::string names;
    for (std::size_t i = 0; i != plan_parts.size(); ++i)
        if (differ[i]) names.append(names.empty() ? "" : ", ").append(plan_parts[i]);
    if (!names.empty()) refuse("the plan must be equal on all ranks; these parts differ: " + names);
    plan.validate(); // only now: a rank with an invalid plan must not leave the others waiting
    if (differ[mine.invalid_traffic] || !valid_traffic)
        throw std::invalid_argument{
            "sonde::traffic: hops and shared_by must be positive, bus_factor must not be negative, and all must be "
            "finite"};
    return mine.known_schedule;
}

} // namespace sonde::detail
