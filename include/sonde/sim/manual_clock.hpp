// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/time.hpp>
#include <sonde/timer.hpp>

#include <cstddef>
#include <cstdint>
#include <ratio>

namespace sonde::sim {

/// Virtual time is whole picoseconds, so that sums are exact.
using picoseconds = std::chrono::duration<std::int64_t, std::pico>;

/// Time that passes only when it is told to, and how often it was looked at.
struct virtual_time {
    picoseconds now{};
    std::size_t reads = 0;
    sonde::timer read_as{}; // what the clock says of itself
};

/// A clock that shows a virtual time; copies show the same one.
class manual_clock {
public:
    explicit manual_clock(virtual_time& time) : time_{&time} {}
    picoseconds now() const {
        ++time_->reads;
        return time_->now;
    }
    void advance(picoseconds by) const { time_->now += by; }
    std::size_t reads() const { return time_->reads; }
    sonde::timer timer() const { return time_->read_as; }

private:
    virtual_time* time_;
};

} // namespace sonde::sim
