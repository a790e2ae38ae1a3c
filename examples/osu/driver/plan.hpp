// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/osu_options.hpp"

#include <sonde/measure/plan.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/measure/run.hpp>
#include <sonde/measure/type_erasure.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/pattern/pattern_ref.hpp>
#include <sonde/sync.hpp>
#include <sonde/sync/synchronized_start.hpp>

#include <array>
#include <cstddef>
#include <utility>

namespace osu {

/// One barrier before the first iteration of a size.
inline constexpr auto before_each_size = start::one_barrier;
/// A barrier before each iteration.
inline constexpr auto before_each_iteration = start::barrier;

/// Number of timed iterations, and of the warm-up iterations before them.
struct counts {
    std::size_t iterations;
    std::size_t warmup;
};

/// Plan of a size sweep: iterations and warm-up iterations of sizes up to 8192 bytes, those of larger sizes, and the
/// synchronization of the ranks. `-i`, `-x` and `--sync` replace them.
struct sweep_plan {
    std::size_t iterations;
    std::size_t warmup;
    counts large;
    start synchronize = before_each_size;
    std::size_t samples = 0; // of a loop that OMB times as a whole; 0: each iteration is a sample
    int senders = 1;         // that share the iterations: each has an equal part, rounded up

    counts of(std::size_t size) const { return size > 8192 ? large : counts{iterations, warmup}; }
};

/// Start of the ranks by a global clock.
using global_start = decltype(sonde::synchronized_start{std::declval<sonde::mpi::group const&>(), sonde::mpi::wtime{}});

/// Synchronization of the ranks before an iteration, chosen at run time.
class rank_sync {
public:
    /// `clock`: used by `start::window` only. It outlives this object, because the start delays of one size are used
    /// for the next.
    rank_sync(start kind, global_start* clock) : kind_{kind}, clock_{clock} {}

    void operator()(sonde::mpi::group& group, std::size_t i);
    /// Threads of a team have barriers only.
    void operator()(auto& group, std::size_t i) {
        if (kind_ == start::barrier || (kind_ == start::one_barrier && i == 0)) group.barrier();
    }
    std::array<double, 1> parameters() const { return {static_cast<double>(kind_)}; }
    global_start* global_clock() { return kind_ == start::window ? clock_ : nullptr; }

private:
    start kind_;
    global_start* clock_;
};

/// Plan of one size: MPI_Wtime, one sample per iteration, caches flushed if `--cache flushed`.
using size_plan = sonde::plan<sonde::mpi::wtime, sonde::any_rule, sonde::flushed_sync<rank_sync>>;

/// Budget of a row with `--until` and without `--budget`.
inline constexpr sonde::seconds default_budget{0.1};

/// Stopping rule of a row: a number of iterations, or the first to be reached of `--until`, `--budget` and `-i`.
/// `--until` ends no row before six samples, `-i` does. `senders` that share the iterations have an equal part each,
/// rounded up.
sonde::any_rule rule_of(options const& asked, std::size_t iterations, std::size_t senders = 1);

/// Plan of one size by `sweep` and the options. `clock` and `evict` may be null; they outlive the plan.
///
/// A loop that OMB times as a whole consists of `sweep.samples` samples, if that divides its iterations and neither
/// `--until` nor `--budget` ends it.
///
/// With `--until` the warm-up lasts until times are stable, and the clock's resolution determines the batch, unless
/// each iteration is synchronized or percentiles of iterations are shown.
size_plan plan_of(sweep_plan const& sweep, std::size_t size, options const& asked, global_start* clock,
                  sonde::eviction* evict);

/// Plan of each of the three runs of an overlap, which share the default budget of `--until`.
size_plan plan_of_three_runs(size_plan const& plan, options const& asked);

/// Measure a pattern of any type: `sonde::run`, which for the ranks of a group is compiled once. Collective over the
/// group.
template <sonde::Group G>
sonde::record run(G& group, size_plan const& plan, sonde::pattern_ref<sonde::mpi::wtime> pattern, sonde::point at) {
    return sonde::run(group, plan, pattern, std::move(at));
}
extern template sonde::record run(sonde::mpi::group& group, size_plan const& plan,
                                  sonde::pattern_ref<sonde::mpi::wtime> pattern, sonde::point at);

// `--cache`: state of the host's caches when an iteration begins.

/// Throws refusal for options that contradict `--cache`.
void require_fitting_cache(options const& asked, program const& about);

} // namespace osu
