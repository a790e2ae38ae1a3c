// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/meeting.hpp>
#include <sonde/group.hpp>
#include <sonde/sim/manual_clock.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace sonde::sim::detail {

/// Where all ranks of a world meet: a collective leaves everyone at the time of the latest, with the values combined in
/// the order of ranks.
class meeting {
public:
    explicit meeting(std::size_t ranks) : place_{ranks} {}

    /// Bring this rank's time and values; take the latest time, and the combined values.
    void attend(std::size_t rank, picoseconds& now, std::span<double> values, reduction how) {
        auto const all =
            place_.attend(rank, {now, {values.begin(), values.end()}},
                          [how](std::vector<contribution> const& brought) { return joined(brought, how); });
        now = all.now;
        std::copy(all.values.begin(), all.values.end(), values.begin());
    }
    void fail() { place_.give_up(); }

private:
    struct contribution {
        picoseconds now{};
        std::vector<double> values{};
    };

    static contribution joined(std::vector<contribution> const& brought, reduction how) {
        auto all = brought.front();
        for (std::size_t rank = 1; rank != brought.size(); ++rank) {
            all.now = std::max(all.now, brought[rank].now);
            sonde::detail::combine_into(all.values, brought[rank].values, how);
        }
        return all;
    }

    sonde::detail::meeting<contribution> place_;
};

} // namespace sonde::sim::detail
