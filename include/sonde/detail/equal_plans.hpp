// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/combine.hpp>
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
#include <vector>

namespace sonde::detail {

/// Adds the number of samples at each look of a uniform rule until it stops. False where it goes on for more than 2^16
/// looks: ranks might disagree later on.
template <StoppingRule R>
bool add_schedule(R rule, fingerprint& into) {
    constexpr std::size_t most = std::size_t{1} << 16;
    std::vector<seconds> times; // the largest block so far
    for (std::size_t n = 0, looks = 0; looks != most; ++looks) {
        auto const block = size_of_block(rule.next(n));
        if (times.size() < block) times.resize(block);
        n += block;
        auto const said = rule(look{.block = {times.data(), block}, .samples = n});
        into.add(static_cast<double>(n));
        if (said.stop) return true;
    }
    return false;
}

struct rule_fingerprint {
    double value;
    bool known_schedule; // of a uniform rule: ranks with the same fingerprint agree at every look
};

template <StoppingRule R>
rule_fingerprint fingerprint_of_rule(R const& rule) {
    fingerprint found;
    found.add(type_name<R>()).add(static_cast<double>(rule.next(0)));
    for (double const number : detail::parameters_of(rule)) found.add(number);
    auto const known = sonde::is_uniform(rule) && detail::add_schedule(rule, found.add("uniform"));
    return {found.value(), known};
}

template <class S>
double fingerprint_of_synchronizer(S& synchronize) {
    fingerprint found;
    found.add(type_name<S>()).add(detail::window_of(synchronize) == nullptr ? 0 : 1);
    if constexpr (requires { synchronize.parameters(); })
        for (double const number : synchronize.parameters()) found.add(number);
    return found.value();
}

/// The parts of a plan that must be equal on all ranks, and the name of each in messages.
inline constexpr std::size_t plan_parts = 7;
inline constexpr std::array<char const*, plan_parts> plan_part_names{"function or number of alternatives",
                                                                     "warm-up",
                                                                     "batch",
                                                                     "stopping rule",
                                                                     "synchronizer",
                                                                     "clock",
                                                                     "what the record keeps"};

/// The fingerprint of each part. `call` is what was called with the plan, and with how many alternatives; `rule` is the
/// fingerprint of the stopping rule.
template <class Plan>
std::array<double, plan_parts> fingerprints_of(Plan& plan, char const* call, std::size_t alternatives, double rule) {
    auto const of = [](auto... numbers) {
        fingerprint found;
        (found.add(static_cast<double>(numbers)), ...);
        return found.value();
    };
    auto const batched = plan.batch_by_timer || plan.batch_iterations != 1;
    auto const& keeps = plan.keeps;
    return {fingerprint{}.add(call).add(static_cast<double>(alternatives)).value(),
            plan.warms_until_stable ? of(plan.stable.tolerance, plan.stable.most.count()) : of(plan.warmup_iterations),
            of(plan.batch_by_timer ? 0 : plan.batch_iterations, batched && !detail::allows_batches(plan.synchronize)),
            rule,
            detail::fingerprint_of_synchronizer(plan.synchronize),
            fingerprint{}.add(type_name<decltype(plan.clock)>()).value(),
            of(keeps.most_samples(), keeps.sample_means, keeps.rank_means)};
}

/// True where legs and shared_by are positive, bus is not negative (0 on a single rank), and all of them are finite.
inline bool is_valid(traffic const& t) {
    constexpr double most = std::numeric_limits<double>::max();
    return t.legs > 0 && t.legs <= most && t.bus >= 0 && t.bus <= most && t.shared_by != 0;
}

/// What is compared before a run: the parts of the plan, whether the traffic of the patterns is valid, and whether a
/// user's code threw an exception on this rank while fingerprints were taken.
struct compared_plan {
    std::array<double, plan_parts + 2> numbers{};
    std::exception_ptr failure{};
    bool known_schedule = false;

    template <class Plan>
    compared_plan(Plan& plan, bool valid_traffic, char const* call, std::size_t alternatives) {
        numbers[plan_parts] = valid_traffic ? 0 : 1;
        try {
            auto const rule = detail::fingerprint_of_rule(plan.rule);
            known_schedule = rule.known_schedule;
            auto const parts = detail::fingerprints_of(plan, call, alternatives, rule.value);
            for (std::size_t i = 0; i != plan_parts; ++i) numbers[i] = parts[i];
        } catch (...) {
            failure = std::current_exception();
            numbers[plan_parts + 1] = 1;
        }
    }
};

/// Throws std::invalid_argument, on all ranks, where a part of the plan differs between ranks, which would wait for
/// each other for ever, where nothing could be measured by it, or where the traffic of a pattern is not valid on some
/// rank. One reduction; collective over the group. True where each rank may ask its own stopping rule, since all rules
/// have the same known schedule.
template <Group G, class Plan>
bool require_equal(G& group, Plan& plan, bool valid_traffic, char const* call = "run", std::size_t alternatives = 1) {
    compared_plan const mine{plan, valid_traffic, call, alternatives};
    auto const differ = detail::differences(group, mine.numbers);
    auto const refuse = [&](std::string const& why) {
        throw std::invalid_argument{std::string{"sonde::"} + call + ": " + why};
    };
    if (mine.failure) std::rethrow_exception(mine.failure);
    if (differ[plan_parts + 1]) refuse("another rank threw an exception when its plan was looked at");
    std::string names;
    for (std::size_t i = 0; i != plan_parts; ++i)
        if (differ[i]) names.append(names.empty() ? "" : ", ").append(plan_part_names[i]);
    if (!names.empty()) refuse("the plan must be equal on all ranks; these parts differ: " + names);
    plan.validate(); // not before: a rank with a void plan must not leave the others waiting
    if (differ[plan_parts] || !valid_traffic)
        throw std::invalid_argument{
            "sonde::traffic: legs and shared_by must be positive, bus must not be negative, and all must be finite"};
    return mine.known_schedule;
}

} // namespace sonde::detail
