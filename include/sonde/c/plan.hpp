// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/c/sonde.h>
#include <sonde/c/status.hpp>
#include <sonde/clock.hpp>
#include <sonde/measure/plan.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/measure/type_erasure.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/measure.hpp>
#include <sonde/pattern.hpp>
#include <sonde/stop.hpp>
#include <sonde/stop/precision.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// A group of the C interface.
struct sonde_group {
    static constexpr auto noun = "the group"; // in messages

    explicit sonde_group(MPI_Comm comm) : ranks{comm} {}

    /// The synchronizer of a plan; that of SONDE_START_TIME is made once. Collective over the group.
    sonde::any_synchronizer<sonde::mpi::group> synchronizer(sonde::mpi::synchronization how) {
        if (how != sonde::mpi::synchronization::start) return sonde::mpi::synchronizer_of(how, ranks);
        if (!start_) start_.emplace(sonde::mpi::synchronizer_of(how, ranks));
        return *start_;
    }

    sonde::mpi::group ranks; // that measure

private:
    std::optional<sonde::any_synchronizer<sonde::mpi::group>> start_;
};

// Plans and patterns of the C interface.

namespace sonde::inline v0_1::detail::c {

// A number of C is that of an enumerator.
static_assert(SONDE_BARRIER_EACH == static_cast<int>(mpi::synchronization::each) &&
              SONDE_NO_BARRIER == static_cast<int>(mpi::synchronization::none) &&
              SONDE_DISSEMINATION == static_cast<int>(mpi::synchronization::dissemination) &&
              SONDE_START_TIME == static_cast<int>(mpi::synchronization::start));

using plan_type = plan<steady_clock, any_rule, any_synchronizer<mpi::group>, true>;

/// What is wrong with a plan; empty if nothing is.
inline std::string problem_of(sonde_plan const* p) {
    if (p == nullptr) return "sonde: the plan is NULL";
    if (auto wrong = size_problem(p->size, sizeof *p, "the plan", "SONDE_PLAN_INIT"); !wrong.empty()) return wrong;
    auto const is_positive = [](double x) { return sonde::detail::is_finite(x) && x > 0; };
    constexpr auto known =
        SONDE_KEEP_SAMPLE_MEANS | SONDE_KEEP_RANK_MEANS | SONDE_KEEP_RANK_SAMPLES | SONDE_KEEP_ON_ALL_RANKS;
    if (p->warmup < SONDE_UNTIL_STABLE) return "sonde: the plan's warmup is negative" + value_of(p->warmup);
    if (p->batch < 0) return "sonde: the plan's batch is negative" + value_of(p->batch);
    if (p->samples < 0) return "sonde: the plan's samples are negative" + value_of(p->samples);
    if (p->relative_error != 0 && (!is_positive(p->relative_error) || !(p->relative_error < 1)))
        return "sonde: the plan's relative_error is not a positive number below 1" + value_of(p->relative_error) +
               " (0.02 is 2 %)";
    if (!is_positive(p->confidence) || !(p->confidence < 1))
        return "sonde: the plan's confidence is not between 0 and 1" + value_of(p->confidence) + " (0.95 is 95 %)";
    if (p->time_budget != 0 && !is_positive(p->time_budget))
        return "sonde: the plan's time_budget is not a positive number of seconds" + value_of(p->time_budget);
    if (p->samples == 0 && p->relative_error == 0 && p->time_budget == 0)
        return "sonde: the plan has none of samples, relative_error and time_budget";
    if (p->synchronize < SONDE_BARRIER_ONCE || p->synchronize > SONDE_START_TIME)
        return "sonde: the plan's synchronize has no meaning: " + std::to_string(p->synchronize);
    if ((p->keep & ~known) != 0)
        return "sonde: the plan's keep has a part without meaning: " + std::to_string(p->keep & ~known);
    return "";
}

inline any_rule rule_of(sonde_plan const& p) {
    std::optional<relative_error> precise;
    if (p.relative_error != 0) precise.emplace(p.relative_error, p.confidence);
    std::optional<time_budget> budget;
    if (p.time_budget != 0) budget.emplace(time_budget{seconds{p.time_budget}});
    std::optional<samples> count;
    if (p.samples != 0) count.emplace(samples{static_cast<std::size_t>(p.samples)});
    return first_rule(precise, budget, count);
}

/// The plan of a struct without problems. Collective over the group.
inline plan_type plan_of(sonde_plan const& p, sonde_group& group) {
    auto const keeps = [&](int part) { return (p.keep & part) != 0; };
    auto made = plan<>{}
                    .until(rule_of(p))
                    .synchronized(group.synchronizer(static_cast<mpi::synchronization>(p.synchronize)))
                    .agree_on_errors()
                    .keep({keeps(SONDE_KEEP_SAMPLE_MEANS), keeps(SONDE_KEEP_RANK_MEANS), keeps(SONDE_KEEP_RANK_SAMPLES),
                           keeps(SONDE_KEEP_ON_ALL_RANKS)});
    made =
        p.warmup == SONDE_UNTIL_STABLE ? made.warmup(until_stable{}) : made.warmup(static_cast<std::size_t>(p.warmup));
    return p.batch == SONDE_BY_TIMER ? made.batch(by_timer) : made.batch(static_cast<std::size_t>(p.batch));
}

inline constexpr double exact = 9007199254740992; // 2^53: all integers up to here are numbers of type double

/// What is wrong with a number of bytes or messages; empty if nothing is. A negative number of the caller is a large
/// one in a type without a sign; sums of larger numbers than 2^53 would not be exact.
inline std::string problem_of_count(std::string const& what, std::size_t count) {
    if (static_cast<double>(count) <= exact) return "";
    return "sonde: " + what + " are negative or more than 2^53" + value_of(static_cast<std::int64_t>(count));
}

/// What is wrong with the numbers of a pattern; empty if nothing is.
inline std::string problem_of_traffic(sonde_pattern const& p, std::string const& name) {
    if (auto wrong = problem_of_count("the bytes" + name, p.bytes); !wrong.empty()) return wrong;
    if (auto wrong = problem_of_count("the messages" + name, p.messages); !wrong.empty()) return wrong;
    if (p.shared_by == 0 || static_cast<double>(p.shared_by) > exact)
        return "sonde: shared_by" + name + " is not a positive number" +
               value_of(static_cast<std::int64_t>(p.shared_by));
    if (!sonde::detail::is_finite(p.hops) || !(p.hops > 0))
        return "sonde: the hops" + name + " are not a positive number" + value_of(p.hops);
    if (!sonde::detail::is_finite(p.bus_factor) || !(p.bus_factor >= 0))
        return "sonde: the bus_factor" + name + " is not a number of at least 0" + value_of(p.bus_factor);
    return "";
}

/// What is wrong with the parameters of a pattern; empty if nothing is.
inline std::string problem_of_parameters(sonde_pattern const& p, std::string const& name) {
    if (p.parameter_count != 0 && p.parameters == nullptr) return "sonde: the list of parameters" + name + " is NULL";
    std::span const all{p.parameters, p.parameter_count};
    for (auto i = all.begin(); i != all.end(); ++i) {
        if (i->name == nullptr || *i->name == 0) return "sonde: a parameter" + name + " has no name";
        if (std::any_of(all.begin(), i, [&](sonde_parameter const& q) { return std::string_view{q.name} == i->name; }))
            return "sonde: two parameters" + name + " have the name " + shortened(i->name);
        if (i->text == nullptr && !sonde::detail::is_finite(i->number))
            return "sonde: the parameter " + shortened(i->name) + name + " is not a finite number" +
                   value_of(i->number);
    }
    return "";
}

/// What is wrong with a pattern; empty if nothing is. `is_called`: by a run, and not by the caller of its steps.
inline std::string problem_of(sonde_pattern const* p, bool is_called) {
    if (p == nullptr) return "sonde: the pattern is NULL";
    if (auto wrong = size_problem(p->size, sizeof *p, "the pattern", "SONDE_PATTERN_INIT"); !wrong.empty())
        return wrong;
    auto const name = p->name == nullptr || *p->name == 0 ? "" : " of " + shortened(p->name);
    if (is_called && p->iterate == nullptr && p->role != SONDE_IDLE) return "sonde: the function" + name + " is NULL";
    if (p->role < SONDE_INITIATOR || p->role > SONDE_IDLE)
        return "sonde: the role" + name + " has no meaning: " + std::to_string(p->role);
    auto const wrong = problem_of_traffic(*p, name);
    return wrong.empty() ? problem_of_parameters(*p, name) : wrong;
}

/// A number that is an integer is written as one.
inline parameter parameter_of(sonde_parameter const& p) {
    if (p.text != nullptr) return {p.name, std::string{p.text}};
    auto const is_whole =
        -exact < p.number && p.number < exact && static_cast<double>(static_cast<long long>(p.number)) == p.number;
    return is_whole ? parameter{p.name, static_cast<long long>(p.number)} : parameter{p.name, p.number};
}

inline point point_of(sonde_pattern const& p) {
    point at{p.name == nullptr ? "" : p.name, {}};
    for (std::size_t i = 0; i != p.parameter_count; ++i) at.parameters.push_back(parameter_of(p.parameters[i]));
    return at;
}

inline traffic traffic_of(sonde_pattern const& p) { return {p.bytes, p.messages, p.hops, p.bus_factor, p.shared_by}; }

inline role role_of(sonde_pattern const& p) {
    return p.role == SONDE_RESPONDER ? role::responder : p.role == SONDE_IDLE ? role::idle : role::initiator;
}

/// A pattern whose functions are C functions. A code other than 0 is thrown.
class function_pattern {
public:
    explicit function_pattern(sonde_pattern const& p) : p_{&p} {}

    void operator()() const {
        if (p_->role != SONDE_IDLE) check(p_->iterate(p_->state), "the function");
    }
    /// The function and its argument stay in registers.
    void in_role(auto f) const {
        if (p_->role != SONDE_IDLE)
            f([this, iterate = p_->iterate, state = p_->state] { check(iterate(state), "the function"); });
    }
    void complete() const {
        if (p_->complete != nullptr && p_->role != SONDE_IDLE) check(p_->complete(p_->state), "complete");
    }
    sonde::role role() const { return c::role_of(*p_); }
    sonde::traffic traffic() const { return c::traffic_of(*p_); }
    sonde::point point() const { return c::point_of(*p_); }

private:
    void check(int code, char const* function) const {
        if (code != 0) [[unlikely]]
            fail(code, function);
    }
    [[noreturn, gnu::cold, gnu::noinline]] void fail(int code, char const* function) const {
        auto const is_named = p_->name != nullptr && *p_->name != 0;
        throw call_error{is_named ? std::string{function} + " of " + p_->name : function, code};
    }

    sonde_pattern const* p_;
};

} // namespace sonde::detail::c
