// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/detail/hash.hpp>
#include <sonde/group.hpp>
#include <sonde/group/agreement.hpp>
#include <sonde/group/group_ref.hpp>
#include <sonde/measure/plan.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/pattern.hpp>
#include <sonde/stop.hpp>
#include <sonde/sync.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
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
        hash_ = fnv_1a(name, hash_);
        return *this;
    }
    double value() const { return static_cast<double>(hash_ >> 12); }

private:
    void add_number(double number);

    std::uint64_t hash_ = fnv_1a({});
};

/// The compiler's name of T, equal on all ranks of a program. Two lambdas of one function may have equal names.
template <class T>
char const* type_name() {
    return __PRETTY_FUNCTION__;
}

/// The parameters of a rule or a synchronizer, and its type as a number, for parts whose type is chosen at run time.
template <class T>
std::vector<double> typed_parameters(numbers parameters) {
    parameters.all.push_back(fingerprint{type_name<T>()}.value());
    return parameters.all;
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

/// The parts of a call that must be equal on all ranks, by their names in messages.
inline constexpr std::array call_parts{"function", "name", "number of alternatives", "root"};
/// The parts of a plan that must be equal on all ranks, by their names in messages.
inline constexpr std::array plan_parts{
    "warm-up", "batch", "stopping rule", "synchronizer", "clock", "what the record keeps", "agreement on errors"};

/// A call of a collective function on this rank, which is compared with the calls of the other ranks.
struct collective_call {
    char const* function;  // "run"
    std::string name = {}; // names and parameters of the patterns; an empty name is equal to every other
    std::size_t alternatives = 1;
    std::string roots = {};           // of the patterns; an empty text is equal to every other
    bool invalid_traffic = false;     // of a pattern
    std::optional<role> in_pair = {}; // of this rank in the patterns of pairs, idle if it differs between them

    /// Add a pattern that is measured.
    void add(point const& at, traffic const& moved, requirements const& needed = {});
    /// Part `part` of `call_parts`, as messages show it.
    std::string text(std::size_t part) const;
};

/// The name and the parameters of a point, "halo bytes=8".
std::string text_of(point const& at);

/// The numbers by which ranks compare a call: fingerprints of `call_parts`, then of `plan_parts`, then of this rank:
/// its traffic is invalid, its role in a pair. Every collective function that measures begins with this comparison, so
/// that ranks in different functions meet in it.
struct call_fingerprint {
    static constexpr std::size_t first_of_plan = call_parts.size(), invalid_traffic = first_of_plan + plan_parts.size(),
                                 in_pair = invalid_traffic + 1;

    std::array<double, in_pair + 1> numbers{};
    bool known_schedule = false; // the rule is uniform, and its whole schedule is in its fingerprint

    void add(collective_call const& call);
    /// Add the plan. A rule is compared by its type, its first number of samples, its parameters and, if it is uniform,
    /// its schedule; a synchronizer by its type, its parameters, and whether it has a global clock.
    void add_plan(auto& plan) {
        auto& rule = plan.rule;
        fingerprint schedule{type_name<std::remove_cvref_t<decltype(rule)>>(), rule.next(0)};
        for (double const number : rule_hook::parameters(rule).all) schedule.add(number);
        known_schedule = sonde::is_uniform(rule) && detail::add_schedule(rule, schedule.add("uniform"));
        auto& synchronize = plan.synchronize;
        fingerprint synchronizer{type_name<std::remove_cvref_t<decltype(synchronize)>>(),
                                 detail::global_clock_of(synchronize) != nullptr};
        for (double const number : sync_hook::parameters(synchronize).all) synchronizer.add(number);
        static_cast<void>(clock_hook::properties(plan.clock)); // where it throws, it throws here
        auto const& [tolerance, max_time] = plan.stability;
        auto const& keep = plan.retention;
        auto const warmup =
            plan.warmup_until_stable ? fingerprint{tolerance, max_time.count()} : fingerprint{plan.warmup_iterations};
        auto const batched = plan.batch_by_timer || plan.batch_iterations != 1;
        std::array const parts{warmup,
                               fingerprint{plan.batch_by_timer ? 0 : plan.batch_iterations,
                                           batched && !sync_hook::allows_batches(synchronize)},
                               schedule,
                               synchronizer,
                               fingerprint{type_name<decltype(plan.clock)>()},
                               fingerprint{keep.max_samples(), keep.sample_means, keep.rank_means, keep.rank_samples,
                                           keep.on_all_ranks, keep.carried != nullptr},
                               fingerprint{plan.agrees_on_errors}};
        static_assert(parts.size() == plan_parts.size());
        for (std::size_t i = 0; i != parts.size(); ++i) numbers[first_of_plan + i] = parts[i].value();
    }
};

/// True if `hops` and `shared_by` are positive, `bus_factor` is not negative (0 on a single rank), all are finite, and
/// bytes and messages are at most 2^53, so that their sums are exact.
bool is_valid(traffic const& t);

/// Throws on all ranks if a part of the call differs between ranks, and says on which, or if user code threw before:
/// `failure` on the rank on which it threw. Returns true if the traffic of a pattern is invalid on some rank.
/// Collective over the group; one reduction.
bool compare_calls(group_ref const& group, call_fingerprint const& mine, std::exception_ptr const& failure,
                   collective_call const& call);

[[noreturn]] void refuse_traffic();

/// Require the same call on all ranks, without a plan. Throws std::invalid_argument, on all ranks. `failure`: an
/// exception of user code on this rank. Collective over the group; one reduction.
void require_same_call(group_ref const& group, collective_call const& call, std::exception_ptr failure = {});

/// Require the same call on all ranks, with a plan that is valid and equal on all ranks, because ranks with different
/// plans would wait for each other forever. Throws std::invalid_argument, on all ranks, if a part of the call or of the
/// plan differs between ranks, if the plan allows no measurement, or if the traffic of a pattern is invalid on a rank.
/// `failure`: an exception of user code on this rank, which it throws after the comparison. Returns true if all rules
/// have the same known schedule, so that every rank may evaluate its own stopping rule. Collective over the group; one
/// reduction.
bool require_equal(group_ref const& group, auto& plan, collective_call const& call, std::exception_ptr failure = {}) {
    call_fingerprint mine;
    detail::attempt(failure, [&] {
        mine.add(call);
        mine.add_plan(plan);
    });
    auto const invalid_traffic = detail::compare_calls(group, mine, failure, call);
    plan.validate(); // only now: a rank with an invalid plan must not leave the others waiting
    if (invalid_traffic) detail::refuse_traffic();
    return mine.known_schedule;
}

} // namespace sonde::detail

#if SONDE_DEFINITIONS
#include <bit>

namespace sonde::inline v0_1::detail {

SONDE_INLINE void fingerprint::add_number(double number) {
    auto const bytes = std::bit_cast<std::array<char, sizeof number>>(number + 0.0); // -0 is 0
    hash_ = fnv_1a({bytes.data(), bytes.size()}, hash_);
}

SONDE_INLINE std::string names_of(std::span<bool const> differ, std::span<char const* const> names) {
    std::string all;
    for (std::size_t i = 0; i != names.size(); ++i)
        if (differ[i]) all.append(all.empty() ? "" : ", ").append(names[i]);
    return all;
}

SONDE_INLINE bool is_valid(traffic const& t) {
    constexpr auto most = std::size_t{1} << 53;
    return t.bytes <= most && t.messages <= most && is_finite(t.hops) && t.hops > 0 && is_finite(t.bus_factor) &&
           t.bus_factor >= 0 && t.shared_by != 0;
}

/// Throws std::invalid_argument for a parameter without a name and for two of the same name: a reader of the record
/// finds its values by their names.
SONDE_INLINE void require_parameters(point const& at) {
    auto const of = " of '" + at.name + "'";
    for (auto i = at.parameters.begin(); i != at.parameters.end(); ++i) {
        if (i->name.empty()) throw std::invalid_argument{"sonde::point: a parameter" + of + " has no name"};
        for (auto other = at.parameters.begin(); other != i; ++other)
            if (other->name == i->name)
                throw std::invalid_argument{"sonde::point: two parameters" + of + " have the name '" + i->name + "'"};
    }
}

SONDE_INLINE void collective_call::add(point const& at, traffic const& moved, requirements const& needed) {
    require_parameters(at);
    auto const append = [](std::string& all, std::string const& text) {
        if (!all.empty() && !text.empty()) all += ", ";
        all += text;
    };
    append(name, text_of(at));
    if (needed.root) append(roots, *needed.root < 0 ? "one that rotates" : std::to_string(*needed.root));
    if (needed.in_pair != role::idle)
        in_pair = in_pair.value_or(needed.in_pair) == needed.in_pair ? needed.in_pair : role::idle;
    invalid_traffic = invalid_traffic || !is_valid(moved);
}

SONDE_INLINE std::string collective_call::text(std::size_t part) const {
    std::string const all[]{function, name, std::to_string(alternatives), roots};
    return all[part];
}

SONDE_INLINE std::string text_of(point const& at) {
    auto text = at.name;
    for (auto const& p : at.parameters) text += (text.empty() ? "" : " ") + p.name + '=' + p.text;
    return text;
}

SONDE_INLINE void call_fingerprint::add(collective_call const& call) {
    for (std::size_t i = 0; i != first_of_plan; ++i) {
        auto const text = call.text(i);
        numbers[i] = text.empty() ? no_value : fingerprint{text.c_str()}.value();
    }
    numbers[this->invalid_traffic] = call.invalid_traffic ? 1 : 0;
    numbers[this->in_pair] = static_cast<double>(call.in_pair.value_or(role::idle));
}

/// The first two ranks whose numbers differ, of the numbers of all ranks; a rank with `no_value` differs from none.
SONDE_INLINE std::array<std::size_t, 2> first_different(std::span<double const> numbers) {
    std::size_t first = 0;
    while (numbers[first] == no_value) ++first;
    auto second = first + 1;
    while (numbers[second] == no_value || numbers[second] == numbers[first]) ++second;
    return {first, second};
}

/// Why a part of the call differs. Collective over the group.
SONDE_INLINE std::string difference_of(group_ref const& group, collective_call const& call, double mine,
                                       std::size_t part) {
    auto const numbers = sonde::all_gather(group, mine);
    auto const texts = sonde::all_gather(group, part < call_parts.size() ? call.text(part) : std::string{});
    auto const [i, k] = first_different({numbers.data(), numbers.size()});
    auto const rank = [](std::size_t r) { return "rank " + std::to_string(r); };
    if (part == 0)
        return "sonde: all ranks must call the same function; " + rank(i) + " called " + texts[i] + ", " + rank(k) +
               " called " + texts[k];
    return std::string{"sonde::"} + call.function + ": the " + call_parts[part] + " must be equal on all ranks; " +
           rank(i) + " has " + texts[i] + ", " + rank(k) + " has " + texts[k];
}

SONDE_INLINE bool compare_calls(group_ref const& group, call_fingerprint const& mine, std::exception_ptr const& failure,
                                collective_call const& call) {
    auto const refusal = [&](std::string const& reason) {
        return std::invalid_argument{std::string{"sonde::"} + call.function + ": " + reason};
    };
    detail::wait_in(group, call_phase::comparison);
    auto const differ = detail::differences(group, mine.numbers, failure);
    detail::wait_in(group, call_phase::begin);
    for (std::size_t part = 0; part != mine.first_of_plan; ++part)
        if (differ[part]) throw std::invalid_argument{difference_of(group, call, mine.numbers[part], part)};
    if (group.size() > 1 && !differ[mine.in_pair] && call.in_pair.value_or(role::idle) != role::idle)
        throw refusal(call.in_pair == role::initiator ? "all ranks are initiators, and the pattern needs a responder"
                                                      : "all ranks are responders, and the pattern needs an initiator");
    auto const names = names_of(std::span{differ}.subspan(mine.first_of_plan, plan_parts.size()), plan_parts);
    if (!names.empty()) throw refusal("the plan must be equal on all ranks; these parts differ: " + names);
    return differ[mine.invalid_traffic] || mine.numbers[mine.invalid_traffic] != 0;
}

SONDE_INLINE void require_same_call(group_ref const& group, collective_call const& call, std::exception_ptr failure) {
    call_fingerprint mine;
    detail::attempt(failure, [&] { mine.add(call); });
    static_cast<void>(detail::compare_calls(group, mine, failure, call));
}

SONDE_INLINE void refuse_traffic() {
    throw std::invalid_argument{
        "sonde::traffic: hops and shared_by must be positive, bus_factor must not be negative, all must be finite, and "
        "bytes and messages at most 2^53"};
}

} // namespace sonde::detail

#endif
