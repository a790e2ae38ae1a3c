// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/units.hpp>

#include <cstddef>
#include <vector>

namespace sonde::model {

/// One model for each range of sizes that a library sends by a protocol of its own.
template <class Model>
struct piecewise {
    struct segment {
        bytes from; // the first of its sizes; the next segment's is the first that is not
        Model model;
    };
    using point = typename Model::point;

    std::vector<segment> segments; // in the order of sizes, at least one

    /// The segment of a size; a size below the first segment is the first one's.
    constexpr segment const& at(bytes x) const {
        std::size_t i = segments.size() - 1;
        while (i != 0 && x < segments[i].from) --i;
        return segments[i];
    }
    constexpr seconds time(bytes x) const { return at(x).model.time(x); }
    constexpr rate bandwidth(bytes x) const { return at(x).model.bandwidth(x); }
    /// Of messages that follow each other.
    constexpr seconds interval(bytes x) const
        requires requires(Model const& m) { m.interval(x); }
    {
        return at(x).model.interval(x);
    }
};

} // namespace sonde::model
