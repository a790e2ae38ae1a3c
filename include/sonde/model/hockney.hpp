// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/units.hpp>

#include <cstddef>
#include <vector>

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

/// One Hockney model for each range of sizes that a library sends by a protocol of its own.
struct piecewise_hockney {
    struct segment {
        bytes from; // the first of its sizes; the next segment's is the first that is not
        hockney model;
    };
    using point = hockney::point;

    std::vector<segment> segments; // in the order of sizes, at least one

    /// The segment of a size; a size below the first segment is the first one's.
    constexpr segment const& at(bytes x) const {
        std::size_t i = segments.size() - 1;
        while (i != 0 && x < segments[i].from) --i;
        return segments[i];
    }
    constexpr seconds time(bytes x) const { return at(x).model.time(x); }
    constexpr rate bandwidth(bytes x) const { return at(x).model.bandwidth(x); }
};

} // namespace sonde::model
