// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clocks/global_time.hpp>
#include <sonde/time.hpp>

#include <cstddef>

namespace sonde {

/// Two clocks never drift apart quicker than this. Systems slew theirs by up to 5e-4 of the time; quartz is within
/// 1e-4.
inline constexpr double largest_drift = 1e-3;

/// A question to a peer, and the time it told: its clock showed `told` some time between `sent` and `back` here.
struct clock_ping {
    seconds sent;
    seconds told;
    seconds back;

    seconds took() const { return back - sent; }
};

/// A peer's time minus the time here, when it was `at` here; wrong by at most `error`.
struct clock_offset {
    seconds at{};
    seconds value{};
    seconds error{};
};

/// What pings say together: the offset is at most `told - sent` and at least `told - back` (as SKaMPI narrows it), and
/// what was known before may have drifted since.
class offset_interval {
public:
    void narrow(clock_ping const& p) {
        auto const drifted = largest_drift * (p.back - at_);
        auto const least = p.told - p.back, most = p.told - p.sent + largest_drift * p.took();
        least_ = any_ && least_ - drifted > least ? least_ - drifted : least;
        most_ = any_ && most_ + drifted < most ? most_ + drifted : most;
        at_ = p.back;
        any_ = true;
    }
    clock_offset middle() const {
        constexpr seconds smallest{1e-12}; // weights are its inverse square
        auto const half = detail::magnitude(most_ - least_) / 2;
        return {at_, (least_ + most_) / 2, half < smallest ? smallest : half};
    }

private:
    bool any_ = false;
    seconds at_{};
    seconds least_{};
    seconds most_{};
};

/// Ask for pings, `ask() -> clock_ping`, until there are `at_least`, and the last was nearly as quick as the best
/// known; but no more than `at_most`. `best_known` is 0 as long as none is known: then `at_most` are made.
template <class Ask>
[[nodiscard]] clock_offset measure_offset(Ask ask, std::size_t at_least, std::size_t at_most, seconds& best_known) {
    offset_interval where;
    auto const quick = 1.1 * best_known;
    for (std::size_t made = 1;; ++made) {
        auto const ping = ask();
        where.narrow(ping);
        if (best_known == seconds{} || ping.took() < best_known) best_known = ping.took();
        if (made >= at_most || (made >= at_least && ping.took() < quick)) return where.middle();
    }
}

} // namespace sonde
