// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>

#include <cstddef>
#include <cstdint>
#include <ratio>

namespace sonde::inline v0_1::sim {

/// Virtual time in whole picoseconds, so that sums are exact.
using picoseconds = std::chrono::duration<std::int64_t, std::pico>;

/// A virtual time, which passes only when code advances it; the number of clock readings; and the properties that its
/// clocks report.
struct virtual_time {
    picoseconds now{};             // virtual time
    std::size_t reads = 0;         // number of readings
    clock_properties properties{}; // of the clock that reads it
};

/// The difference of a clock from virtual time t: it shows offset + (1 + drift) t, in whole picoseconds. A reading
/// advances the virtual time of its caller by `cost`.
struct skew {
    picoseconds offset{}; // at virtual time 0
    double drift = 0;     // per second of virtual time
    picoseconds cost{};

    /// What the clock shows at virtual time t.
    picoseconds reading_at(picoseconds t) const {
        return offset + t + picoseconds{static_cast<std::int64_t>(drift * static_cast<double>(t.count()))};
    }
};

/// A clock that shows a virtual time, by default without skew. Copies refer to the same time.
class manual_clock {
public:
    explicit manual_clock(virtual_time& time, skew by = {}) : time_{&time}, skew_{by} {}
    picoseconds now() const {
        ++time_->reads;
        time_->now += skew_.cost;
        return skew_.reading_at(time_->now);
    }
    /// Advance the virtual time.
    void advance(picoseconds by) const { time_->now += by; }
    /// Number of readings of all clocks of this virtual time.
    std::size_t reads() const { return time_->reads; }
    clock_properties properties() const { return time_->properties; }

private:
    virtual_time* time_;
    skew skew_;
};

} // namespace sonde::sim
