// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/sim/transfer.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "support.hpp"

namespace unit {

using sonde::sim::course;
using sonde::sim::picoseconds;
using sonde::sim::progress;
using sonde::sim::transfer;

// Operations of 40 us.
constexpr course offloaded{progress::offloaded, 4, 10us};
constexpr course in_calls{progress::in_calls, 4, 10us};
constexpr course in_wait{progress::in_wait, 4, 10us};

/// Shares are compared in whole billionths.
constexpr long long all = 1'000'000'000;
inline long long ppb(double share) { return std::llround(share * all); }

/// The same answer of every rank.
inline std::vector<long long> answers(int ranks, long long each) {
    return std::vector<long long>(static_cast<std::size_t>(ranks), each);
}

/// A spin in units of 10 ns of this rank's virtual time.
inline auto work_of(process& self, std::size_t tests) {
    auto const unit = [&self](std::size_t n) { self.work(static_cast<std::int64_t>(n) * picoseconds{10ns}); };
    return sonde::spin{tests, unit, self.clock()};
}

inline auto plan_of(process& self) {
    return sonde::plan<>{}
        .warmup(2)
        .until(sonde::samples{3})
        .synchronized(sonde::barrier_each{})
        .timed_by(self.clock())
        .keep({.rank_means = true});
}

template <class S, class W, class Target = sonde::as_typical>
sonde::overlap measured(process& self, S split, W&& work, sonde::timed what = sonde::timed::whole, Target target = {}) {
    auto group = self.group();
    return sonde::measure_overlap(group, plan_of(self), split, work, {"split", {}}, what, target);
}

/// What of an operation hides behind work that lasts so long, with so many tests, the same on every rank; -1 where
/// ranks do not agree.
inline long long parts_hidden(int ranks, course c, std::size_t tests, picoseconds length) {
    auto const found = on_ranks(ranks, {}, [&](process& self) {
        // Half a unit more, so that rounding does not decide about the last one.
        auto const target = [&](sonde::record const&, int) { return sonde::seconds{length + 5ns}; };
        return ppb(sonde::hidden(measured(self, transfer{self, c}, work_of(self, tests), sonde::timed::whole, target)));
    });
    return found == answers(ranks, found.front()) ? found.front() : -1;
}

} // namespace unit
