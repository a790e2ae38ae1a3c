// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/piecewise.hpp>
#include <sonde/model/units.hpp>

namespace sonde::model {

/// A message takes a start-up time and a time per byte: T(x) = alpha + x / r_inf (Hockney 1994).
struct hockney {
    seconds alpha{};
    rate r_inf{};

    /// What is fitted: half a round trip of a message.
    struct point {
        bytes size;
        seconds time;
        seconds resolution{}; // half a unit of the last digit, or the clock's step over the messages; 0: as a double's
    };

    constexpr seconds time(bytes x) const { return alpha + x / r_inf; }
    constexpr rate bandwidth(bytes x) const { return x / time(x); }
    /// At this size half of r_inf is reached: alpha r_inf.
    constexpr bytes n_half() const { return r_inf * alpha; }
};

using piecewise_hockney = piecewise<hockney>;

} // namespace sonde::model
