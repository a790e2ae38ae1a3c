// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/group.hpp>
#include <sonde/group/group_ref.hpp>
#include <sonde/measure/plan.hpp>
#include <sonde/pattern.hpp>
#include <sonde/stop.hpp>
#include <sonde/sync.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace sonde::inline v0_1::detail {

/// Hash of a sequence of numbers and names: 64-bit FNV-1a. The value has 52 bits of it, so that a reduction of doubles
/// does not round the value.
class fingerprint {
public:
    explicit fingerprint(auto... parts) { (add(parts), ...); }

    template <class N>
        requires std::is_arithmetic_v<N>
    fingerprint& add(N number) {
        add_number(static_cast<double>(number));
        return *this;
    }
    fingerprint& add(char const* name) {
        add_name(name);
        return *this;
    }
    double value() const { return static_cast<double>(hash_ >> 12); }

private:
    void add_number(double number);
    void add_name(char const* name);
    void add_byte(unsigned char byte) { hash_ = (hash_ ^ byte) * 0x100000001b3u; }

    std::uint64_t hash_ = 0xcbf29ce484222325u;
};

/// The compiler's name of T, equal on all ranks of a program. Two lambdas of one function may have equal names.
template <class T>
char const* type_name() {
    return __PRETTY_FUNCTION__;
}

/// The parameters of a rule or a synchronizer, and its type as a number, for parts whose type is chosen at run time.
template <class T>
std::vector<double> typed_parameters_of(T const& part) {
    auto all = detail::parameters_of(part);
    all.push_back(fingerprint{type_name<T>()}.value());
    return all;
}

/// Add the schedule of a uniform rule, the number of samples at each evaluation until it stops. Returns false if the
/// rule needs more than 2^16 evaluations, because ranks might disagree later.
bool add_schedule(StoppingRule auto rule, fingerprint& into) {
    constexpr std::size_t max_evaluations = std::size_t{1} << 16;
    std::vector<seconds> times; // of the largest block so far
    for (std::size_t n = 0, evaluations = 0; evaluations != max_evaluations; ++evaluations) {
        auto const block = block_size(rule.next(n));
        if (times.size() < block) times.resize(block);
        n += block;
        into.add(n);
        decision const made = rule(progress{.block = {times.data(), block}, .samples = n});
        if (made.stop) return true;
    }
    return false;
}

/// The names of the parts that differ, with commas.
std::string names_of(std::span<bool const> differ, std::span<char const* const> names);

/// Require numbers that are equal on all ranks. Throws std::invalid_argument, on all ranks, with `rule` and the names
/// of the numbers that differ. Collective over the group; one reduction.
template <std::size_t N>
void require_equal_parts(Group auto& group, std::array<double, N> const& numbers,
                         std::array<char const*, N> const& names, std::string const& rule) {
    auto const list = names_of(detail::differences(group, numbers), names);
    if (!list.empty()) throw std::invalid_argument{rule + "; these parts differ: " + list};
}

/// The parts of a plan that must be equal on all ranks, by their names in messages.
inline constexpr std::array plan_parts{"function or number of alternatives",
                                       "warm-up",
                                       "batch",
                                       "stopping rule",
                                       "synchronizer",
                                       "clock",
                                       "what the record keeps",
                                       "agreement on errors"};

/// Numbers that are compared before a run: a fingerprint of each of the `plan_parts`, and whether this rank has either
/// of two errors.
struct plan_fingerprint {
    static constexpr std::size_t invalid_traffic = plan_parts.size(), threw = invalid_traffic + 1;

    std::array<double, threw + 1> numbers{};
    bool known_schedule = false; // the rule is uniform, and its whole schedule is in its fingerprint

    /// `function`: name of the function called with the plan.
    void take(auto& plan, char const* function, std::size_t alternatives) {
        auto& rule = plan.rule;
        fingerprint schedule{type_name<std::remove_cvref_t<decltype(rule)>>(), rule.next(0)};
        for (double const number : detail::parameters_of(rule)) schedule.add(number);
        known_schedule = sonde::is_uniform(rule) && detail::add_schedule(rule, schedule.add("uniform"));
        auto& synchronize = plan.synchronize;
        fingerprint synchronizer{type_name<std::remove_cvref_t<decltype(synchronize)>>(),
                                 detail::global_clock_of(synchronize) != nullptr};
        for (double const number : detail::parameters_of(synchronize)) synchronizer.add(number);
        auto const& [tolerance, max_time] = plan.stability;
        auto const& keep = plan.retention;
        auto const warmup =
            plan.warmup_until_stable ? fingerprint{tolerance, max_time.count()} : fingerprint{plan.warmup_iterations};
        auto const batched = plan.batch_by_timer || plan.batch_iterations != 1;
        std::array const parts{
            fingerprint{function, alternatives},
            warmup,
            fingerprint{plan.batch_by_timer ? 0 : plan.batch_iterations,
                        batched && !detail::allows_batches(synchronize)},
            schedule,
            synchronizer,
            fingerprint{type_name<decltype(plan.clock)>()},
            fingerprint{keep.max_samples(), keep.sample_means, keep.rank_means, keep.rank_samples, keep.on_all_ranks},
            fingerprint{plan.agrees_on_errors}};
        static_assert(parts.size() == plan_parts.size());
        for (std::size_t i = 0; i != parts.size(); ++i) numbers[i] = parts[i].value();
    }
};

/// True if `hops` and `shared_by` are positive, `bus_factor` is not negative (0 on a single rank), and all are finite.
bool is_valid(traffic const& t);

/// Throws on all ranks if the plans differ between ranks, or if user code threw while a fingerprint was taken:
/// `failure` on the rank on which it threw. Returns true if the traffic of a pattern is invalid on some rank.
/// Collective over the group; one reduction.
bool compare_fingerprints(group_ref const& group, plan_fingerprint const& mine, std::exception_ptr const& failure,
                          char const* function);

[[noreturn]] void refuse_traffic();

/// Require a plan that is valid and equal on all ranks, because ranks with different plans would wait for each other
/// forever. Throws std::invalid_argument, on all ranks, if a part of the plan differs between ranks, if the plan allows
/// no measurement, or if the traffic of a pattern is invalid on a rank. Returns true if all rules have the same known
/// schedule, so that every rank may evaluate its own stopping rule. Collective over the group; one reduction.
bool require_equal(group_ref const& group, auto& plan, bool valid_traffic, char const* function = "run",
                   std::size_t alternatives = 1) {
    plan_fingerprint mine;
    std::exception_ptr failure; // of user code, while the fingerprints are taken
    try {
        mine.take(plan, function, alternatives);
    } catch (...) {
        failure = std::current_exception();
        mine.numbers[mine.threw] = 1;
    }
    mine.numbers[mine.invalid_traffic] = valid_traffic ? 0 : 1;
    auto const invalid_traffic = detail::compare_fingerprints(group, mine, failure, function);
    plan.validate(); // only now: a rank with an invalid plan must not leave the others waiting
    if (invalid_traffic) detail::refuse_traffic();
    return mine.known_schedule;
}

} // namespace sonde::detail

#if SONDE_DEFINITIONS
#include <bit>

namespace sonde::inline v0_1::detail {

SONDE_INLINE void fingerprint::add_number(double number) {
    auto const bits = std::bit_cast<std::uint64_t>(number + 0.0); // -0 is 0
    for (int shift = 0; shift != 64; shift += 8) add_byte(static_cast<unsigned char>(bits >> shift));
}

SONDE_INLINE void fingerprint::add_name(char const* name) {
    for (; *name != '\0'; ++name) add_byte(static_cast<unsigned char>(*name));
}

SONDE_INLINE std::string names_of(std::span<bool const> differ, std::span<char const* const> names) {
    std::string all;
    for (std::size_t i = 0; i != names.size(); ++i)
        if (differ[i]) all.append(all.empty() ? "" : ", ").append(names[i]);
    return all;
}

SONDE_INLINE bool is_valid(traffic const& t) {
    return is_finite(t.hops) && t.hops > 0 && is_finite(t.bus_factor) && t.bus_factor >= 0 && t.shared_by != 0;
}

SONDE_INLINE bool compare_fingerprints(group_ref const& group, plan_fingerprint const& mine,
                                       std::exception_ptr const& failure, char const* function) {
    auto const differ = detail::differences(group, mine.numbers);
    auto const refuse = [&](std::string const& reason) {
        throw std::invalid_argument{std::string{"sonde::"} + function + ": " + reason};
    };
    if (failure) std::rethrow_exception(failure);
    if (differ[mine.threw]) refuse("another rank threw an exception when its plan was compared");
    auto const names = names_of(differ, plan_parts);
    if (!names.empty()) refuse("the plan must be equal on all ranks; these parts differ: " + names);
    return differ[mine.invalid_traffic] || mine.numbers[mine.invalid_traffic] != 0;
}

SONDE_INLINE void refuse_traffic() {
    throw std::invalid_argument{
        "sonde::traffic: hops and shared_by must be positive, bus_factor must not be negative, and "
        "all must be finite"};
}

} // namespace sonde::detail

#endif
