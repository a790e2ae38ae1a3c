// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>
#include <sonde/time.hpp>

#include <cstddef>

namespace sonde {

/// How ranks are brought together before an iteration of the warm-up, and before each sample; outside the clock.
///
///     s(group, i)         i counts from 0 in the warm-up, and again from 0 in the samples; collective over the group
///     s.window()          optional: a pointer to what knows a global time, or null where there is none; equal on all
///     s.allows_batches()  optional: false where s prepares one iteration, so that a sample must have one; else true
///     s.parameters()      optional: settings (a range of double) that must be equal on all ranks; const
///     s.tell(at)          optional: puts what s does to a measurement into the record's point, as a parameter; const
///
/// What it points to has w.begin(group) (before the warm-up, collective: clocks may be compared), w.valid() (did this
/// rank begin the sample in time?), w.global(seconds) (a reading of the plan's clock as global time), w.bound() (of the
/// error of that) and w.check(group) (after the run, collective: by how much clocks are off). A sample that some rank
/// began too late is redone.
template <class S, class G>
concept Synchronizer = Group<G> && requires(S& s, G& g, std::size_t i) { s(g, i); };

namespace detail {

/// No global clock.
struct no_window {
    bool valid() const { return true; }
    seconds global(seconds t) const { return t; }
    seconds bound() const { return {}; }
    void begin(auto&) const {}
    seconds check(auto&) const { return {}; }
};

/// May a sample have several iterations? See `Synchronizer`.
template <class S>
bool allows_batches(S const& synchronize) {
    if constexpr (requires { synchronize.allows_batches(); }) return synchronize.allows_batches();
    else return true;
}

/// What the synchronizer has to say in the point of a record. See `Synchronizer`.
template <class S>
void tell(S const& synchronize, auto& at) {
    if constexpr (requires { synchronize.tell(at); }) synchronize.tell(at);
}

/// The synchronizer's global clock, if it has one: see `Synchronizer`.
template <class S>
auto* window_of(S& synchronize) {
    if constexpr (requires { synchronize.window(); }) return synchronize.window();
    else return static_cast<no_window*>(nullptr);
}

} // namespace detail

/// Ranks start when they are ready: for patterns that pace themselves, and for groups of one.
struct no_sync {
    void operator()(auto&, std::size_t) const {}
};

/// One barrier before the warm-up, one before the first sample.
struct barrier_once {
    void operator()(auto& group, std::size_t i) const {
        if (i == 0) group.barrier();
    }
};

/// The group's own barrier before every iteration.
struct barrier_each {
    void operator()(auto& group, std::size_t) const { group.barrier(); }
};

/// A barrier of our own messages before every iteration: independent of the barrier of the library that is measured.
///
/// In round k = 0 .. ceil(log2 P) - 1 rank r tells rank r + 2^k, and hears from rank r - 2^k (Hensgen, Finkel, Manber,
/// Two algorithms for barrier synchronization, 1988). `exchange(to, from)` sends an empty message and receives one.
template <class Exchange>
struct dissemination {
    Exchange exchange;

    void operator()(auto& group, std::size_t) {
        auto const ranks = group.size();
        for (int distance = 1; distance < ranks; distance *= 2)
            exchange((group.rank() + distance) % ranks, (group.rank() - distance + ranks) % ranks);
    }
};
template <class Exchange>
dissemination(Exchange) -> dissemination<Exchange>;

} // namespace sonde
