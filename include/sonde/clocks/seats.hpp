// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <cstddef>
#include <vector>

namespace sonde {

/// A rank's place among ranks that share clocks: `leader_of` rank is the first rank with the same clock.
class clock_seats {
public:
    clock_seats(int rank, std::vector<int> const& leader_of) : leader_{leader_of[static_cast<std::size_t>(rank)]} {
        for (int r = 0; r != static_cast<int>(leader_of.size()); ++r) {
            auto const leader = leader_of[static_cast<std::size_t>(r)];
            if (leader == rank && r != rank) followers_.push_back(r);
            if (leader != r) continue;
            if (r == rank) place_ = static_cast<int>(leaders_.size());
            leaders_.push_back(r);
        }
        leads_ = leader_ == rank;
    }

    /// Have all ranks one clock?
    bool shared() const { return leaders_.size() == 1; }
    bool leads() const { return leads_; }
    int leader() const { return leader_; }
    /// Of a leader: its place among the leaders, and the others with its clock.
    int place() const { return place_; }
    std::vector<int> const& followers() const { return followers_; }
    std::vector<int> const& leaders() const { return leaders_; }

private:
    int leader_;
    bool leads_ = false;
    int place_ = 0;
    std::vector<int> leaders_;
    std::vector<int> followers_;
};

} // namespace sonde
