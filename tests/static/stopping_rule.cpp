// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/stop.hpp>

#include <cstddef>

namespace stopping_rule_concept {

// [satisfies]
struct patient {
    std::size_t next(std::size_t samples) const;
    sonde::verdict operator()(sonde::look const& seen);
};
static_assert(sonde::StoppingRule<patient>);
// [/satisfies]

using sonde::samples;
using sonde::time_budget;
static_assert(sonde::StoppingRule<samples>);
static_assert(sonde::StoppingRule<time_budget>);
static_assert(sonde::StoppingRule<sonde::either<samples, time_budget>>);
static_assert(sonde::StoppingRule<sonde::both<time_budget, patient>>);
static_assert(sonde::StoppingRule<decltype(samples{1} || (time_budget{} && patient{}))>);

// `uniform` is optional, and a combination is uniform when both its rules are.
struct said_not : patient { static constexpr bool uniform = false; };
struct said_so : patient { static constexpr bool uniform = true; };
static_assert(sonde::uniform<samples> && sonde::uniform<said_so>);
static_assert(!sonde::uniform<patient> && !sonde::uniform<said_not> && !sonde::uniform<time_budget>);
static_assert(sonde::uniform<sonde::either<samples, said_so>> && sonde::uniform<sonde::both<said_so, samples>>);
static_assert(!sonde::uniform<sonde::either<samples, patient>> && !sonde::uniform<sonde::either<patient, samples>>);
static_assert(!sonde::uniform<sonde::both<samples, patient>> && !sonde::uniform<sonde::both<patient, samples>>);

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
