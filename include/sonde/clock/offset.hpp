// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/detail/misuse.hpp>
#include <sonde/group.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <sonde/detail/refuse.inc>

namespace sonde::inline v0_1 {

/// Upper bound of the relative drift of two clocks. Operating systems slew a clock by up to 5e-4; quartz oscillators
/// drift by up to 1e-4.
inline constexpr double max_drift = 1e-3;

/// One request for the time of a peer and its answer. The peer's clock showed `remote` at some time between the local
/// readings `sent` and `received`.
struct clock_ping {
    seconds sent;
    seconds remote;
    seconds received;

    /// Time from the request to the answer, which bounds the error.
    seconds round_trip() const { return received - sent; }
};

/// Offset of a peer's clock: its time minus the local time, at the local time `at`; wrong by at most `error`.
struct clock_offset {
    seconds at{};
    seconds value{}; // peer's time minus local time
    seconds error{};
};

/// Point-to-point messages between the ranks of a group, by which their clocks are compared. They must not match any
/// other messages of the application.
///
///     c.send(to, b)         b: span<byte const>; may return before the message is received
///     c.receive(from, b)    b: span<byte> of the length of the message
template <class C>
concept ControlChannel = requires(C& c, int rank, std::span<std::byte const> out, std::span<std::byte> in) {
    c.send(rank, out);
    c.receive(rank, in);
};

namespace detail {

template <class G>
concept has_control_channel = requires(G& g) {
    { g.control_channel() } -> ControlChannel;
};

} // namespace detail

/// The group's own control channel. Collective over the group if constructing the channel is collective, as for
/// `shmem::control_channel`.
template <Group G>
    requires detail::has_control_channel<G>
[[nodiscard]] auto control_channel_of(G& group) {
    return group.control_channel();
}
template <class G>
    requires(!detail::has_control_channel<G>)
SONDE_REFUSE("the group has no control_channel(), which returns a sonde::ControlChannel", control_channel_of(G&));

/// Linear model of a clock: converts readings of this rank's clock to global time, the time of rank 0's clock.
///
/// Local time is a reading minus `origin`; global minus local time is `slope` * local time + `intercept`. By default
/// global time equals the reading. As long as the clocks run at constant rates, the error of a global time is at most
/// `error` between the global times `from` and `to`, and grows by `error_growth` seconds per second outside of them.
struct clock_model {
    seconds origin{};
    double slope = 0;
    seconds intercept{};
    seconds error{};
    double error_growth = 0;
    seconds from{};
    seconds to{};

    bool operator==(clock_model const&) const = default;

    /// Global time of a reading (`since_epoch`).
    seconds to_global(seconds reading) const {
        auto const local = reading - origin;
        return local + (slope * local + intercept);
    }
    /// Upper bound of the error at a global time of this rank.
    seconds error_bound(seconds global) const {
        return error + error_growth * std::max({from - global, global - to, seconds{}});
    }
};

namespace detail {

inline constexpr double time_request = 1;
inline constexpr double end_of_requests = 0;

/// Send a trivially copyable value.
template <class T>
void send_value(ControlChannel auto& channel, int to, T const& value) {
    channel.send(to, std::as_bytes(std::span{&value, 1}));
}
template <class T>
T receive_value(ControlChannel auto& channel, int from) {
    T value{};
    channel.receive(from, std::as_writable_bytes(std::span{&value, 1}));
    return value;
}

/// Ping `server`, which must be in `serve_time` meanwhile. `now()` is the local time in seconds.
clock_ping request_time(ControlChannel auto& channel, int server, auto now) {
    clock_ping p{now(), {}, {}};
    detail::send_value(channel, server, time_request);
    p.remote = detail::receive_value<seconds>(channel, server);
    p.received = now();
    return p;
}

/// Answer the pings of `client` by `now()` until it sends `end_of_requests`.
void serve_time(ControlChannel auto& channel, int client, auto now) {
    while (detail::receive_value<double>(channel, client) == time_request) detail::send_value(channel, client, now());
}

/// Model of a rank that compared its clock with the global time of another rank, whose model is `reference`. The errors
/// of both models add up. The error of `reference` grows with time, and this rank knows the time only up to its own
/// error, which therefore counts as additional time.
clock_model compose(clock_model own, clock_model const& reference);

/// Model whose error was measured again at the later global time `when` and is at most `error` there. Since clocks run
/// at constant rates, the error between both times is at most the larger of the two errors. Outside, it grows no faster
/// than from one error to the opposite of the other.
clock_model tighten(clock_model known, seconds when, seconds error);

/// Model whose error was measured anew at the later global time `when` and is at most `error` there. Since clocks run
/// at constant rates, the error grows no faster than between both times. If `error` is below the known bound, the bound
/// holds from that time on.
clock_model renew(clock_model known, seconds when, seconds error);

} // namespace detail

/// Interval that contains the offset of a peer's clock, the intersection of the intervals of all pings.
///
/// A ping bounds the offset by `remote - received` from below and by `remote - sent` from above (as SKaMPI does). The
/// interval of earlier pings is widened by the largest possible drift since then.
class offset_interval {
public:
    /// Narrow the interval by a ping.
    void add(clock_ping const& p) {
        auto const drift = max_model_drift * (p.received - at_);
        auto const low = p.remote - p.received, high = p.remote - p.sent + max_model_drift * p.round_trip();
        low_ = empty_ ? low : std::max(low_ - drift, low);
        high_ = empty_ ? high : std::min(high_ + drift, high);
        at_ = p.received;
        empty_ = false;
    }
    /// Requires at least one ping.
    clock_offset midpoint() const {
        constexpr seconds smallest{1e-12}; // `fit_drift` divides by the square of the error
        return {at_, (low_ + high_) / 2, std::max(smallest, std::chrono::abs(high_ - low_) / 2)};
    }

private:
    // Both clocks may be read through a model, whose slope is up to `max_drift`.
    static constexpr double max_model_drift = 3 * max_drift;

    seconds at_{};
    seconds low_{};
    seconds high_{};
    bool empty_ = true;
};

/// Measure the offset of a peer's clock by calling `ping() -> clock_ping` at least `min_pings` times, until the last
/// round trip took at most 1.1 times `best_round_trip`, but at most `max_pings` times.
///
/// `best_round_trip` is the shortest round trip to this peer so far, and is updated. If it is 0, the network is unknown
/// and `max_pings` pings are made.
[[nodiscard]] clock_offset measure_offset(auto ping, std::size_t min_pings, std::size_t max_pings,
                                          seconds& best_round_trip) {
    offset_interval interval;
    auto const short_enough = 1.1 * best_round_trip;
    for (std::size_t made = 1;; ++made) {
        auto const p = ping();
        interval.add(p);
        if (best_round_trip == seconds{} || p.round_trip() < best_round_trip) best_round_trip = p.round_trip();
        if (made >= max_pings || (made >= min_pings && p.round_trip() < short_enough)) return interval.midpoint();
    }
}

/// Fit a line through offsets by weighted least squares; the weight of an offset is the inverse square of its error.
/// Times of the offsets count from `origin`. Requires at least one offset.
///
/// The fitted line is a weighted sum of the offsets, and it is exact for offsets on a line. So, if each offset is wrong
/// by at most its error and the clocks run at constant rates, the line is wrong by at most the weighted mean of the
/// errors at the weighted mean of the times, and its slope by at most sum(w |t - mean| error) / sum(w (t - mean)^2). No
/// clock has a slope above `max_drift`, so a larger slope is reduced to `max_drift`, which is closer to the drift of
/// the clocks.
[[nodiscard]] clock_model fit_drift(std::vector<clock_offset> const& offsets, seconds origin);

} // namespace sonde

#if SONDE_DEFINITIONS
#include <cmath>

namespace sonde::inline v0_1::detail {

SONDE_INLINE clock_model compose(clock_model own, clock_model const& reference) {
    auto const distance = std::chrono::abs(own.from - reference.from);
    own.error = own.error * (1 + reference.error_growth) + reference.error + reference.error_growth * distance;
    own.error_growth = own.error_growth * (1 + reference.error_growth) + reference.error_growth;
    return own;
}

SONDE_INLINE clock_model tighten(clock_model known, seconds when, seconds error) {
    if (when <= known.to) return known;
    known.error_growth = std::min(known.error_growth, (known.error + error) / (when - known.to));
    known.error = std::max(known.error, error);
    known.to = when;
    return known;
}

SONDE_INLINE clock_model renew(clock_model known, seconds when, seconds error) {
    if (when <= known.to) return known;
    auto const is_less = error < known.error_bound(when);
    known.error_growth = std::min(known.error_growth, (known.error + error) / (when - known.to));
    if (!is_less) return known;
    known.error = error;
    known.from = known.to = when;
    return known;
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

SONDE_INLINE clock_model fit_drift(std::vector<clock_offset> const& offsets, seconds origin) {
    double weights = 0, mean_at = 0, mean_value = 0, error = 0;
    auto const weight = [](clock_offset const& o) { return 1 / (o.error.count() * o.error.count()); };
    for (auto const& o : offsets) {
        weights += weight(o);
        mean_at += weight(o) * o.at.count();
        mean_value += weight(o) * o.value.count();
        error += weight(o) * o.error.count();
    }
    mean_at /= weights;
    mean_value /= weights;
    double variance = 0, covariance = 0, slope_error = 0; // the first two without their common divisor
    for (auto const& o : offsets) {
        auto const deviation = o.at.count() - mean_at;
        variance += weight(o) * deviation * deviation;
        covariance += weight(o) * deviation * (o.value.count() - mean_value);
        slope_error += weight(o) * std::fabs(deviation) * o.error.count();
    }
    auto const slope = variance > 0 ? std::clamp(covariance / variance, -max_drift, max_drift) : 0;
    auto const worst = max_drift + std::fabs(slope);
    auto const growth = variance > 0 ? std::min(worst, slope_error / variance) : worst;
    clock_model line{origin, slope, seconds{mean_value - slope * mean_at}, seconds{error / weights},
                     growth / (1 + slope)};
    line.from = line.to = line.to_global(origin + seconds{mean_at});
    return line;
}

} // namespace sonde

#endif

#include <sonde/detail/refuse.inc>
