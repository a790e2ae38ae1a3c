// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/time.hpp>

#include <cstddef>

namespace tools::model {

/// Synchronizer that starts ranks as `Start` does, and uses the clock of a `synchronized_start` only to measure how far
/// apart they begin.
template <class Start, class GlobalClock>
class watched {
public:
    watched(Start start, GlobalClock& clock) : start_{start}, clock_{&clock} {}

    void operator()(auto& group, std::size_t i) { start_(group, i); }
    watched* global_clock() { return this; }
    void synchronize(auto& group) { clock_->synchronize(group); }
    bool on_time() const { return true; }
    sonde::seconds to_global(sonde::seconds reading) const { return clock_->to_global(reading); }
    sonde::seconds error_bound() const { return clock_->error_bound(); }
    sonde::seconds measure_deviation(auto& group) { return clock_->measure_deviation(group); }

private:
    Start start_;
    GlobalClock* clock_;
};

/// Each pair begins when it is ready: a barrier over all, a warm-up, and a barrier of the pair.
template <class P, class Pair>
class pairs_apart {
public:
    pairs_apart(P& pattern, Pair const& pair, std::size_t warmup) : pattern_{&pattern}, pair_{&pair}, warmup_{warmup} {}

    void operator()(auto& all, std::size_t) {
        all.barrier();
        for (std::size_t i = 0; i != warmup_; ++i) (*pattern_)();
        pair_->barrier();
    }

private:
    P* pattern_;
    Pair const* pair_;
    std::size_t warmup_;
};

} // namespace tools::model
