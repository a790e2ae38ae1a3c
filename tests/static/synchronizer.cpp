// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

// [satisfies]
#include <sonde/group.hpp>
#include <sonde/sync.hpp>

#include <cstddef>

struct my_sync {
    void operator()(sonde::single_rank& group, std::size_t i);
};
static_assert(sonde::Synchronizer<my_sync, sonde::single_rank>);
// [/satisfies]

#include <concepts>
#include <string>
#include <utility>

// [global_clock]
struct my_global_clock {
    void synchronize(sonde::single_rank& group);                 // before the warm-up, collective: compares the clocks
    bool on_time() const;                                 // true if this rank began the sample in time
    sonde::seconds to_global(sonde::seconds t) const;     // a reading of the plan's clock as global time
    sonde::clock_deviation measure_deviation(sonde::single_rank& group); // after the run, collective
};
struct my_timed_sync : my_sync {
    my_global_clock* global_clock(); // null for none; equal on all ranks
};
static_assert(sonde::Synchronizer<my_timed_sync, sonde::single_rank>);
// [/global_clock]

namespace synchronizer_concept {

using sonde::single_rank;
using sonde::detail::global_clock_of;
static_assert(std::same_as<decltype(global_clock_of(std::declval<my_timed_sync&>())), my_global_clock*> &&
              std::same_as<decltype(global_clock_of(std::declval<my_sync&>())), sonde::detail::no_global_clock*>);

using for_any_group = decltype([](auto& group, std::size_t) { group.barrier(); });
static_assert(sonde::Synchronizer<for_any_group, single_rank> && sonde::Synchronizer<sonde::no_sync, single_rank> &&
              sonde::Synchronizer<sonde::barrier_once, single_rank> &&
              sonde::Synchronizer<sonde::barrier_each, single_rank> &&
              sonde::Synchronizer<sonde::dissemination_barrier, single_rank> &&
              sonde::Synchronizer<sonde::flushed_sync<my_sync>, single_rank>);
using unflushed = decltype(global_clock_of(std::declval<sonde::flushed_sync<my_sync>&>()));
static_assert(std::same_as<unflushed, sonde::detail::no_global_clock*>);

struct not_called { void wait(sonde::single_rank& group, std::size_t i); }; // no operator()
struct without_group { void operator()(std::size_t i); };
struct without_index { void operator()(sonde::single_rank& group); };
struct index_as_text { void operator()(sonde::single_rank& group, std::string i); };
static_assert(!sonde::Synchronizer<not_called, sonde::single_rank> &&
              !sonde::Synchronizer<without_group, sonde::single_rank> &&
              !sonde::Synchronizer<without_index, sonde::single_rank> &&
              !sonde::Synchronizer<index_as_text, sonde::single_rank>);
static_assert(!sonde::Synchronizer<sonde::no_sync, int>); // int is not a Group

static_assert(!sonde::Synchronizer<my_sync const, single_rank>); // its operator() is not const

} // namespace synchronizer_concept
