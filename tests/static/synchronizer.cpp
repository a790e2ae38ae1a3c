// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/group.hpp>
#include <sonde/sim/world.hpp>
#include <sonde/sync.hpp>

#include <cstddef>
#include <string>

namespace synchronizer_concept {

using sonde::solo;

// [satisfies]
struct together {
    void operator()(sonde::solo& group, std::size_t i);
};
static_assert(sonde::Synchronizer<together, sonde::solo>);
// [/satisfies]

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
