// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/busy_wait.hpp>
#include <sonde/pattern.hpp>
#include <sonde/patterns/adapt.hpp>
#include <sonde/patterns/bidirectional.hpp>
#include <sonde/patterns/ping_pong.hpp>
#include <sonde/patterns/round_trips.hpp>
#include <sonde/patterns/spaced_receives.hpp>
#include <sonde/patterns/stream.hpp>
#include <sonde/sim/world.hpp>

#include <functional>

namespace pattern_concept {

// [satisfies]
struct iteration {
    void operator()();
};
static_assert(sonde::Pattern<iteration>);
static_assert(sonde::Pattern<decltype([] {})>); // every lambda without parameters
// [/satisfies]

using sonde::slice;
using sim_link = sonde::sim::link;
using lambda = decltype([] {});
using counter = decltype([n = 0]() mutable { return ++n; });
static_assert(sonde::Pattern<lambda const>);
static_assert(sonde::Pattern<counter>);
static_assert(sonde::Pattern<void (*)()>);
static_assert(sonde::Pattern<std::function<void()>>);
static_assert(sonde::Pattern<decltype([](int n = 1) { return n; })>);
static_assert(sonde::Pattern<sonde::ping_pong<sim_link, slice, slice>>);
static_assert(sonde::Pattern<sonde::stream<sim_link, slice, slice, sim_link, slice, slice>>);
static_assert(sonde::Pattern<sonde::bidirectional<sim_link, slice, slice>>);
static_assert(sonde::Pattern<sonde::round_trips<sim_link, slice, slice, sonde::busy_wait<>>>);
static_assert(sonde::Pattern<sonde::spaced_receives<sim_link, slice, slice, sim_link, slice, slice, sonde::busy_wait<>>>);
static_assert(sonde::Pattern<sonde::moving<lambda>>);
static_assert(sonde::Pattern<sonde::before<lambda, iteration>>);
static_assert(sonde::Pattern<sonde::repeat<sonde::moving<iteration>>>);

// [misses]
struct not_called { void iterate(); };                       // nothing to call
using wants_an_argument = decltype([](int round) { return round; });
struct guarded : private iteration {};                       // nobody outside may call it
static_assert(!sonde::Pattern<not_called>);
static_assert(!sonde::Pattern<wants_an_argument>);
static_assert(!sonde::Pattern<guarded>);
// [/misses]

static_assert(!sonde::Pattern<counter const>); // it changes when called
static_assert(!sonde::Pattern<int>);

} // namespace pattern_concept
