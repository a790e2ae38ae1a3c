// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/stop.hpp>
#include <sonde/stop/any_rule.hpp>
#include <sonde/stop/noise_converged.hpp>
#include <sonde/stop/relative_error.hpp>

#include <cstddef>

namespace stopping_rule_concept {

// [satisfies]
struct patient {
    constexpr std::size_t next(std::size_t) const { return 1; }
    sonde::verdict operator()(sonde::look const& seen);
};
static_assert(sonde::StoppingRule<patient>);
// [/satisfies]

using sonde::samples;
using sonde::time_budget;
static_assert(sonde::StoppingRule<samples>);
static_assert(sonde::StoppingRule<time_budget>);
static_assert(sonde::StoppingRule<sonde::relative_error>);
static_assert(sonde::StoppingRule<time_budget const>);
static_assert(sonde::StoppingRule<sonde::relative_error_within>);
static_assert(sonde::StoppingRule<sonde::noise_converged>);
static_assert(sonde::StoppingRule<sonde::any_rule>);
static_assert(sonde::StoppingRule<sonde::either<samples, time_budget>>);
static_assert(sonde::StoppingRule<sonde::both<time_budget, patient>>);
static_assert(sonde::StoppingRule<decltype(samples{1} || (time_budget{} && patient{}))>);

// [uniform]
struct fixed : patient {
    static constexpr bool uniform = true; // its answers follow from the number of samples alone
};
struct fixed_if_asked : patient {
    bool uniform = false; // it depends on how the rule was made: equal on all ranks
};
static_assert(sonde::is_uniform(fixed{}) && sonde::is_uniform(fixed_if_asked{{}, true}));
static_assert(!sonde::is_uniform(patient{}) && !sonde::is_uniform(fixed_if_asked{}));
// [/uniform]

struct says_nothing : patient { void uniform() const; };
using sonde::is_uniform;
static_assert(is_uniform(samples{1}) && !is_uniform(time_budget{}));
static_assert(!is_uniform(sonde::relative_error{0.01}));
static_assert(!is_uniform(says_nothing{}));

// A combination is uniform when both its rules are.
using sonde::both;
using sonde::either;
static_assert(is_uniform(either<samples, fixed>{{1}, {}}) && is_uniform(both<fixed, samples>{{}, {1}}));
static_assert(is_uniform(either<fixed_if_asked, samples>{{{}, true}, {1}}));
static_assert(!is_uniform(either<fixed_if_asked, samples>{{}, {1}}));
static_assert(!is_uniform(either<samples, patient>{{1}, {}}) && !is_uniform(either<patient, samples>{{}, {1}}));
static_assert(!is_uniform(both<samples, patient>{{1}, {}}) && !is_uniform(both<patient, samples>{{}, {1}}));

// [misses]
struct no_next : patient { void next() = delete; };
struct not_asked : patient { void operator()() = delete; };
struct changing_next : patient { std::size_t next(std::size_t); };              // asking may change it
struct unanswering_next : patient { void next(std::size_t) const; };
struct yes_or_no : patient { bool operator()(sonde::look const&); };            // gives no reason
struct per_sample : patient { sonde::verdict operator()(sonde::seconds); };     // a look shows a block
static_assert(!sonde::StoppingRule<no_next>);
static_assert(!sonde::StoppingRule<not_asked>);
static_assert(!sonde::StoppingRule<changing_next>);
static_assert(!sonde::StoppingRule<unanswering_next>);
static_assert(!sonde::StoppingRule<yes_or_no>);
static_assert(!sonde::StoppingRule<per_sample>);
// [/misses]

static_assert(!sonde::StoppingRule<patient const>); // its call is for a rule that may change
static_assert(!sonde::StoppingRule<sonde::seconds>);

} // namespace stopping_rule_concept
