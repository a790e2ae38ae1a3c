// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/sim/manual_clock.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace sonde::sim::detail {

/// One direction of a link: who comes first is served first.
class lane {
public:
    struct period {
        picoseconds begin{};
        picoseconds end{};
    };

    picoseconds free() const { return busy_.back().end; }
    /// Be busy from then on, or from when the lane is free; until when.
    picoseconds occupy(picoseconds from, picoseconds how_long) {
        auto const begin = std::max(from, free());
        if (begin != free()) busy_.push_back({begin, begin});
        busy_.back().end += how_long;
        return free();
    }
    picoseconds busy() const {
        picoseconds sum{};
        for (auto const& p : busy_) sum += p.end - p.begin;
        return sum;
    }
    friend picoseconds both_busy(lane const& a, lane const& b) {
        picoseconds sum{};
        for (std::size_t i = 0, j = 0; i != a.busy_.size() && j != b.busy_.size();) {
            auto const &p = a.busy_[i], &q = b.busy_[j];
            sum += std::max(picoseconds{}, std::min(p.end, q.end) - std::max(p.begin, q.begin));
            ++(p.end < q.end ? i : j);
        }
        return sum;
    }

private:
    std::vector<period> busy_{period{}}; // in the order of time, apart from each other
};

} // namespace sonde::sim::detail
