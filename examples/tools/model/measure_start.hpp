// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/time.hpp>

#include <cstddef>

namespace tools::model {

/// Ranks begin as `Start` has them, and a global clock sees how far apart: a synchronizer whose window is the clock's
/// of a `clock_window`, which nobody waits for.
template <class Start, class Window>
class watched {
public:
    watched(Start start, Window& clock) : start_{start}, clock_{&clock} {}

    void operator()(auto& group, std::size_t i) { start_(group, i); }
    watched* window() { return this; }
    void begin(auto& group) { clock_->begin(group); }
    bool valid() const { return true; }
    sonde::seconds global(sonde::seconds reading) const { return clock_->global(reading); }
    sonde::seconds bound() const { return clock_->bound(); }
    sonde::seconds check(auto& group) { return clock_->check(group); }

private:
    Start start_;
    Window* clock_;
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
