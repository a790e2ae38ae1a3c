// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/cache.hpp>
#include <sonde/clock_window.hpp>
#include <sonde/group.hpp>
#include <sonde/sim/courier.hpp>
#include <sonde/sim/skewed_clock.hpp>
#include <sonde/sim/world.hpp>
#include <sonde/sync.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <utility>

namespace synchronizer_concept {

using sonde::solo;

// [satisfies]
struct together {
    void operator()(sonde::solo& group, std::size_t i);
};
static_assert(sonde::Synchronizer<together, sonde::solo>);
// [/satisfies]

// [window]
struct global_clock {
    bool valid() const;                                   // did this rank begin the sample in time?
    sonde::seconds global(sonde::seconds reading) const;  // a reading of the plan's clock as global time
    sonde::seconds bound() const;                         // of the error of a global time
    void begin(sonde::solo& group);                       // before the warm-up, collective: compare clocks
    sonde::seconds check(sonde::solo& group);             // after the run, collective: how far clocks are off
};
struct at_one_time : together {
    global_clock* window(); // null where there is none; equal on all ranks
};
static_assert(sonde::Synchronizer<at_one_time, sonde::solo>);
// [/window]

using sonde::detail::window_of;
static_assert(std::same_as<decltype(window_of(std::declval<at_one_time&>())), global_clock*>);
static_assert(std::same_as<decltype(window_of(std::declval<together&>())), sonde::detail::no_window*>);
using by_clock = sonde::clock_window<sonde::sim::skewed_clock, sonde::sim::courier>;
static_assert(sonde::Synchronizer<by_clock, sonde::sim::group>);
static_assert(std::same_as<decltype(window_of(std::declval<by_clock&>())), by_clock*>);

// Flushing keeps what the other synchronizer has: a window, and the groups that it is for.
static_assert(std::same_as<decltype(window_of(std::declval<sonde::flushed<by_clock>&>())), by_clock*>);
static_assert(sonde::Synchronizer<sonde::flushed<by_clock>, sonde::sim::group>);
static_assert(sonde::Synchronizer<sonde::flushed<together>, solo>);
static_assert(!sonde::Synchronizer<sonde::flushed<together>, sonde::sim::group>);
using unflushed = decltype(window_of(std::declval<sonde::flushed<together>&>()));
static_assert(std::same_as<unflushed, sonde::detail::no_window*>);

using for_any_group = decltype([](auto& group, std::size_t) { group.barrier(); });
using exchanging = sonde::dissemination<decltype([](int, int) {})>;
static_assert(sonde::Synchronizer<for_any_group, solo>);
static_assert(sonde::Synchronizer<for_any_group, sonde::sim::group>);
static_assert(sonde::Synchronizer<sonde::no_sync, solo>);
static_assert(sonde::Synchronizer<sonde::no_sync const, sonde::sim::group>);
static_assert(sonde::Synchronizer<sonde::barrier_once, solo>);
static_assert(sonde::Synchronizer<sonde::barrier_once const, sonde::sim::group>);
static_assert(sonde::Synchronizer<sonde::barrier_each, solo>);
static_assert(sonde::Synchronizer<sonde::barrier_each const, sonde::sim::group>);
static_assert(sonde::Synchronizer<exchanging, solo>);
static_assert(sonde::Synchronizer<exchanging, sonde::sim::group>);

// [misses]
struct not_called { void wait(sonde::solo& group, std::size_t i); };
struct without_group { void operator()(std::size_t i); };
struct without_index { void operator()(sonde::solo& group); };
struct named_iteration { void operator()(sonde::solo& group, std::string name); };
static_assert(!sonde::Synchronizer<not_called, sonde::solo>);
static_assert(!sonde::Synchronizer<without_group, sonde::solo>);
static_assert(!sonde::Synchronizer<without_index, sonde::solo>);
static_assert(!sonde::Synchronizer<named_iteration, sonde::solo>);
static_assert(!sonde::Synchronizer<together, sonde::sim::group>); // for another group
static_assert(!sonde::Synchronizer<sonde::no_sync, int>);         // int is no Group
// [/misses]

static_assert(!sonde::Synchronizer<together const, solo>); // its call is for one that may change

} // namespace synchronizer_concept
