// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/units.hpp>

#include <cstddef>
#include <vector>

namespace sonde::model {

/// Hockney's model of a point-to-point message (alpha-beta or postal model): T(x) = alpha + x / r_inf
/// (R. W. Hockney, Parallel Computing 20(3), 1994).
struct hockney {
    seconds alpha{}; // start-up time
    rate r_inf{};    // asymptotic bandwidth, 1 / beta

    /// Observation for a fit: half a round trip of a message.
    struct point {
        bytes size;
        seconds time;
        seconds resolution{}; // largest rounding error of `time`: half a unit of the last digit, or the tick of the
                              // clock over the number of messages; 0: full precision
    };

    constexpr seconds time(bytes x) const { return alpha + x / r_inf; }
    constexpr rate bandwidth(bytes x) const { return x / time(x); }
    /// Message size that reaches half of r_inf: alpha r_inf.
    constexpr bytes n_half() const { return r_inf * alpha; }
};

/// A model whose parameters differ between ranges of message sizes, one range for each protocol of the MPI library
/// (eager, rendezvous, ...).
template <class Model>
struct piecewise {
    struct segment {
        bytes from; // smallest size; the segment ends where the next one begins
        Model model;
    };
    using point = typename Model::point;

    std::vector<segment> segments; // ascending sizes, at least one segment

    /// Segment of a message size; the first segment for sizes below all of them.
    constexpr segment const& at(bytes x) const {
        std::size_t i = segments.size() - 1;
        while (i != 0 && x < segments[i].from) --i;
        return segments[i];
    }
    constexpr seconds time(bytes x) const { return at(x).model.time(x); }
    constexpr rate bandwidth(bytes x) const { return at(x).model.bandwidth(x); }
    /// Interval between consecutive messages.
    constexpr seconds interval(bytes x) const
        requires requires(Model const& m) { m.interval(x); }
    {
        return at(x).model.interval(x);
    }
};

using piecewise_hockney = piecewise<hockney>;

} // namespace sonde::model
