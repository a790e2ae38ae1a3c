// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/time.hpp>

#include <array>

namespace sonde {

namespace detail {

inline seconds magnitude(seconds t) { return t < seconds{} ? -t : t; }

} // namespace detail

/// How readings of this rank's clock become global time: that of rank 0's clock. By default both are the same.
///
/// `slope` and `intercept` are of global minus local time, where local time is a reading less `origin`. A global time
/// is wrong by at most `error` between the global times `from` and `to`, and by `growth` seconds more for each second
/// outside: as long as clocks run evenly.
struct global_time {
    seconds origin{};
    double slope = 0;
    seconds intercept{};
    seconds error{};
    double growth = 0;
    seconds from{};
    seconds to{};

    /// A reading (`since_epoch`) as global time.
    seconds at(seconds reading) const {
        auto const local = reading - origin;
        return local + (slope * local + intercept);
    }
    /// How wrong this rank's global time may be when it shows `global`.
    seconds bound(seconds global) const {
        auto const outside = global < from ? from - global : global > to ? global - to : seconds{};
        return error + growth * outside;
    }
};

namespace detail {

using packed_time = std::array<double, 7>;

inline packed_time packed(global_time const& g) {
    return {g.origin.count(), g.slope, g.intercept.count(), g.error.count(), g.growth, g.from.count(), g.to.count()};
}
inline global_time unpacked(packed_time const& p) {
    return {seconds{p[0]}, p[1], seconds{p[2]}, seconds{p[3]}, p[4], seconds{p[5]}, seconds{p[6]}};
}

/// A model that was made against `reference`'s global time: the errors of both add up. The reference's error counts at
/// the time it shows, which is off by this rank's own error.
inline global_time chained(global_time own, global_time const& reference) {
    auto const apart = magnitude(own.from - reference.from);
    own.error = own.error * (1 + reference.growth) + reference.error + reference.growth * apart;
    own.growth = own.growth * (1 + reference.growth) + reference.growth;
    return own;
}

/// A model whose error at the global time `when`, after it was made, is now known to be at most `then`. Since clocks
/// run evenly, it was no greater in between than at one of both ends, and cannot have grown quicker than from one to
/// the other.
inline global_time tightened(global_time known, seconds when, seconds then) {
    if (when <= known.to) return known;
    auto const quickest = (known.error + then) / (when - known.to);
    if (quickest < known.growth) known.growth = quickest;
    if (then > known.error) known.error = then;
    known.to = when;
    return known;
}

} // namespace detail

} // namespace sonde
