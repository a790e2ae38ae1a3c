// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

// [satisfies]
#include <sonde/stop.hpp>

#include <array>
#include <cstddef>

struct my_rule { // evaluated after every sample
    constexpr std::size_t next(std::size_t) const { return 1; }
    sonde::decision operator()(sonde::progress const& p);
};
static_assert(sonde::StoppingRule<my_rule>);
// [/satisfies]

namespace stopping_rule_concept {

using sonde::samples;
using sonde::time_budget;
static_assert(sonde::StoppingRule<samples> && sonde::StoppingRule<time_budget> &&
              sonde::StoppingRule<time_budget const> && sonde::StoppingRule<sonde::any_of<samples, time_budget>> &&
              sonde::StoppingRule<sonde::all_of<time_budget, my_rule>>);
static_assert(sonde::StoppingRule<decltype(samples{1} || (time_budget{} && my_rule{}))>);

/// Stops at the first of 1, 2, 4, 8 ... samples that is at least `least`.
class power_of_two {
public:
    static constexpr bool uniform = true; // decisions depend on the number of samples only

    constexpr explicit power_of_two(std::size_t least) : least_{least} {}
    constexpr std::size_t next(std::size_t n) const { return n == 0 ? 1 : n; } // the series doubles
    sonde::decision operator()(sonde::progress const& p) const {
        return {p.samples >= least_, sonde::stop_reason::samples};
    }
    std::array<double, 1> parameters() const { return {static_cast<double>(least_)}; } // compared between ranks

private:
    std::size_t least_;
};
static_assert(sonde::StoppingRule<power_of_two> && sonde::is_uniform(power_of_two{1000}));

struct always_uniform : my_rule {
    static constexpr bool uniform = true; // decisions depend on the number of samples only
};
struct uniform_if_set : my_rule {
    bool uniform = false; // set by the constructor, equal on all ranks
};
static_assert(sonde::is_uniform(always_uniform{}) && sonde::is_uniform(uniform_if_set{{}, true}));
static_assert(!sonde::is_uniform(my_rule{}) && !sonde::is_uniform(uniform_if_set{}));

using sonde::is_uniform;
static_assert(is_uniform(samples{1}) && !is_uniform(time_budget{}));

// A combination is uniform when both its rules are.
using sonde::all_of;
using sonde::any_of;
static_assert(is_uniform(any_of<samples, always_uniform>{{1}, {}}) && is_uniform(all_of<always_uniform, samples>{{}, {1}}));
static_assert(is_uniform(any_of<uniform_if_set, samples>{{{}, true}, {1}}));
static_assert(!is_uniform(any_of<uniform_if_set, samples>{{}, {1}}));
static_assert(!is_uniform(any_of<samples, my_rule>{{1}, {}}) && !is_uniform(any_of<my_rule, samples>{{}, {1}}));
static_assert(!is_uniform(all_of<samples, my_rule>{{1}, {}}) && !is_uniform(all_of<my_rule, samples>{{}, {1}}));

struct no_next : my_rule { void next() = delete; };
struct not_called : my_rule { void operator()() = delete; };
struct next_not_const : my_rule { std::size_t next(std::size_t); };             // the schedule must not change
struct next_is_void : my_rule { void next(std::size_t) const; };
struct returns_bool : my_rule { bool operator()(sonde::progress const&); };     // no reason
struct per_sample : my_rule { sonde::decision operator()(sonde::seconds); };    // the argument is a progress
static_assert(!sonde::StoppingRule<no_next> && !sonde::StoppingRule<not_called> &&
              !sonde::StoppingRule<next_not_const> && !sonde::StoppingRule<next_is_void> &&
              !sonde::StoppingRule<returns_bool> && !sonde::StoppingRule<per_sample>);

static_assert(!sonde::StoppingRule<my_rule const>); // its operator() is not const
static_assert(!sonde::StoppingRule<sonde::seconds>);

} // namespace stopping_rule_concept
