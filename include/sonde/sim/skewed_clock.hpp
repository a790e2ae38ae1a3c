// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/sim/manual_clock.hpp>
#include <sonde/timer.hpp>

#include <cstdint>

namespace sonde::sim {

/// How a clock differs from virtual time t: it shows offset + (1 + drift) t, to the picosecond. Reading it takes
/// `cost`, so that virtual time passes for who waits for it.
struct skew {
    picoseconds offset{};
    double drift = 0;
    picoseconds cost{};

    picoseconds shows_at(picoseconds t) const {
        return offset + t + picoseconds{static_cast<std::int64_t>(drift * static_cast<double>(t.count()))};
    }
};

/// A clock that shows a virtual time as one rank's clock would; copies show the same one.
class skewed_clock {
public:
    skewed_clock(virtual_time& time, skew by) : time_{&time}, skew_{by} {}
    picoseconds now() const {
        ++time_->reads;
        time_->now += skew_.cost;
        return skew_.shows_at(time_->now);
    }
    sonde::timer timer() const { return time_->read_as; }

private:
    virtual_time* time_;
    skew skew_;
};

} // namespace sonde::sim
