// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/sim.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../../support.hpp"

namespace unit {

using sonde::sim::nonblocking_operation;
using sonde::sim::operation_profile;
using sonde::sim::picoseconds;
using sonde::sim::progress_mode;

// Operations of 40 us.
constexpr operation_profile offloaded{progress_mode::offloaded, 4, 10us};
constexpr operation_profile in_calls{progress_mode::in_calls, 4, 10us};
constexpr operation_profile in_wait{progress_mode::in_wait, 4, 10us};

/// Fractions are compared in whole billionths.
constexpr long long all = 1'000'000'000;
inline long long ppb(double share) { return std::llround(share * all); }

/// Equal results of every rank.
inline std::vector<long long> equal_results(int ranks, long long each) {
    return std::vector<long long>(static_cast<std::size_t>(ranks), each);
}

/// A calibrated_work in units of 10 ns of this rank's virtual time.
inline auto work_of(process& self, std::size_t tests) {
    auto const unit = [&self](std::size_t n) { self.work(static_cast<std::int64_t>(n) * picoseconds{10ns}); };
    return sonde::calibrated_work{tests, unit, self.clock()};
}

inline auto plan_of(process& self) {
    return sonde::plan<>{}
        .warmup(2)
        .until(sonde::samples{3})
        .synchronized(sonde::barrier_each{})
        .timed_by(self.clock())
        .keep({.rank_means = true});
}

template <class S, class W, class Target = sonde::median_duration>
sonde::overlap_records measured(process& self, S split, W&& work,
                                sonde::overlap_timing what = sonde::overlap_timing::whole, Target target = {}) {
    auto group = self.group();
    return sonde::measure_overlap(group, plan_of(self), split, work, {"split", {}}, what, target);
}

/// The overlap of an operation with work of this length and number of tests, the same on every rank; -1 if ranks
/// differ.
inline long long overlap_ppb(int ranks, operation_profile c, std::size_t tests, picoseconds length) {
    auto const found = on_ranks(ranks, {}, [&](process& self) {
        // Half a unit more, so that rounding does not remove the last one.
        auto const target = [&](sonde::record const&, int) { return sonde::seconds{length + 5ns}; };
        return ppb(sonde::overlap(measured(self, nonblocking_operation{self, c}, work_of(self, tests),
                                           sonde::overlap_timing::whole, target)));
    });
    return found == equal_results(ranks, found.front()) ? found.front() : -1;
}

} // namespace unit
