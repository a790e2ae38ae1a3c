// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/detail/misuse.hpp>
#include <sonde/group.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/memory.hpp>
#include <sonde/stop.hpp>

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

#include <sonde/detail/hooks.inc>

namespace sonde::inline v0_1 {

/// Synchronization of the ranks before each iteration of the warm-up and before each sample, outside the timed region.
///
///     s(group, i)         collective over the group; i counts from 0 in the warm-up, and again from 0 in the samples
///     s.global_clock()    optional: a pointer to a global clock (below), or null for none; equal on all ranks
///     s.allows_batches()  optional: false if s prepares one iteration only, so that a batch must be one iteration
///     s.each_sample()     optional, const: false if s does not synchronize before each sample
///     s.parameters()      optional, const: a range of double, equal on all ranks; a run throws if they differ
///     s.describe(point)   optional, const: adds a parameter to the record's point that names an effect on the times
///
/// A global clock, such as `synchronized_start`, makes readings of different ranks comparable:
///
///     c.synchronize(group)        collective, before the warm-up: compares the clocks if that is due
///     c.on_time()                 true if this rank began the sample in time; else the sample is repeated
///     c.to_global(t)              a reading of the plan's clock (`since_epoch`) as global time
///     c.measure_deviation(group)  -> clock_deviation  collective, after the run
template <class S, class G>
concept Synchronizer = Group<G> && requires(S& s, G& g, std::size_t i) { s(g, i); };

namespace detail {

/// Type of the global clock of a synchronizer without a global clock.
struct no_global_clock {
    bool on_time() const { return true; }
    seconds to_global(seconds t) const { return t; }
    void synchronize(auto&) const {}
    clock_deviation measure_deviation(auto&) const { return {}; }
};

/// A pointer to a global clock of any type.
struct clock_pointer {
    template <class C>
        requires requires(C* clock) { clock->on_time(); }
    clock_pointer(C*) {}
};

} // namespace detail

namespace detail::sync_hook {
SONDE_HOOKS(SONDE_SYNC_HOOKS);
SONDE_FORWARDED(SONDE_SYNC_HOOKS);
} // namespace detail::sync_hook

namespace detail {

/// The synchronizer's global clock, or null. See `Synchronizer`.
template <class S>
auto* global_clock_of(S& synchronize) {
    if constexpr (sync_hook::calls_global_clock<S>()) return synchronize.global_clock();
    else return static_cast<no_global_clock*>(nullptr);
}

/// Let the synchronizer add a parameter to the point of a record. A hook that takes a copy of the point does not
/// compile.
template <class S>
void describe(S const& synchronize, point& at) {
    static_assert(
        !requires { synchronize.describe(point{}); },
        "the hook describe of a sonde::Synchronizer must take a sonde::point&, to which it adds a parameter");
    sync_hook::describe(synchronize, at);
}

} // namespace detail

/// No synchronization: for patterns that synchronize themselves, and for groups of one rank.
struct no_sync {
    void operator()(auto&, std::size_t) const {}
};

/// A barrier before the warm-up and one before the first sample.
struct barrier_once {
    bool each_sample() const { return false; }
    void operator()(auto& group, std::size_t i) const {
        if (i == 0) group.barrier();
    }
};

/// The group's barrier before every iteration of the warm-up and every sample.
struct barrier_each {
    void operator()(auto& group, std::size_t) const { group.barrier(); }
};

/// Dissemination barrier before every iteration of the warm-up and every sample, by empty messages of the group that
/// measures (`exchange`), independent of the library's algorithm of a barrier (Hensgen, Finkel, Manber, Two algorithms
/// for barrier synchronization, 1988).
struct dissemination_barrier {
    template <class G>
        requires requires(G& group, int rank) { group.exchange(rank, rank); }
    void operator()(G& group, std::size_t) const {
        auto const ranks = group.size();
        for (int distance = 1; distance < ranks; distance *= 2)
            group.exchange((group.rank() + distance) % ranks, (group.rank() - distance + ranks) % ranks);
    }
};

/// Synchronizer that calls `(*f)()` on each rank and then another synchronizer: before each iteration of the warm-up
/// (so that its times stabilize as the times of samples do) and before each sample.
///
/// The call is outside the samples of all ranks if the other synchronizer synchronizes before each sample:
/// `barrier_each`, `dissemination_barrier`, `synchronized_start`; on one rank `no_sync`. Only the first iteration of a
/// batch would be prepared, so a plan rejects batches. `f` must outlive the plan; a null pointer calls nothing.
template <class Sync, std::invocable F>
class prepared_sync : public detail::sync_hook::forwarded<prepared_sync<Sync, F>, Sync> {
    static_assert(!std::same_as<Sync, barrier_once>, "a rank would call the function during samples of other ranks");

public:
    /// Throws std::invalid_argument if the other synchronizer does not synchronize before each sample, as an
    /// `any_synchronizer` that holds a `barrier_once`.
    prepared_sync(Sync synchronize, F* f) : synchronize_{std::move(synchronize)}, f_{f} {
        if (f != nullptr && !detail::sync_hook::each_sample(synchronize_))
            throw std::invalid_argument{
                "sonde::prepared_sync: with barrier_once a rank would call the function during samples of other "
                "ranks"};
    }

    template <Group G>
        requires Synchronizer<Sync, G>
    void operator()(G& group, std::size_t i) {
        if (f_ != nullptr) (*f_)();
        synchronize_(group, i);
    }
    bool allows_batches() const { return f_ == nullptr && detail::sync_hook::allows_batches(synchronize_); }
    Sync& inner() { return synchronize_; }
    Sync const& inner() const { return synchronize_; }

protected:
    bool prepares() const { return f_ != nullptr; }

private:
    Sync synchronize_;
    F* f_;
};

/// The cache policy as a parameter of a point: `{"exchange", {{"bytes", n}, cache_parameter(cache::rotate)}}`.
[[nodiscard]] inline parameter cache_parameter(cache how) {
    return {"cache", how == cache::warm ? "warm" : how == cache::rotate ? "rotating" : "flushed"};
}

/// `prepared_sync` that flushes the caches: `flushed_sync{barrier_each{}, &evict}`. It adds the parameter "cache" to
/// each record's point, unless the point has one already.
template <class Sync, std::invocable Evict = eviction>
class flushed_sync : public prepared_sync<Sync, Evict> {
public:
    using prepared_sync<Sync, Evict>::prepared_sync;

    void describe(point& at) const {
        detail::describe(this->inner(), at);
        if (!this->prepares()) return;
        for (auto const& p : at.parameters)
            if (p.name == "cache") return;
        at.parameters.push_back(cache_parameter(cache::flush));
    }
};
template <class Sync, class Evict>
flushed_sync(Sync, Evict*) -> flushed_sync<Sync, Evict>;

} // namespace sonde

#include <sonde/detail/hooks.inc>
