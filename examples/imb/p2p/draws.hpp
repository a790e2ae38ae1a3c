// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace imb::p2p {

/// IMB-P2P's numbers, the same on all ranks: a linear congruential generator of 64 bits from 0 on, of which bits 24 to
/// 55 come out.
class generator {
public:
    std::uint32_t operator()() {
        state_ = state_ * 7560690468208412377U + 4343336064253945357U;
        return static_cast<std::uint32_t>(state_ >> 24);
    }
    /// From 0 to ranks - 1.
    int rank(int ranks) { return static_cast<int>((*this)() % static_cast<std::uint32_t>(ranks)); }

private:
    std::uint64_t state_ = 0;
};

/// Two different ranks. There must be two.
struct drawn_pair {
    int first;
    int second;

    drawn_pair(generator& draw, int ranks) : first{draw.rank(ranks)}, second{draw.rank(ranks)} {
        while (second == first) second = draw.rank(ranks);
    }
};

/// All ranks in a ring: in their order, until it is shuffled.
class drawn_ring {
public:
    explicit drawn_ring(int ranks) {
        for (int r = 0; r != ranks; ++r) order_.push_back(r);
    }
    void shuffle(generator& draw) {
        for (auto& r : order_) std::swap(r, order_[static_cast<std::size_t>(draw.rank(size()))]);
    }
    /// The rank so many places after this one; -1: the one before.
    int from(int rank, int places) const {
        int at = 0;
        while (order_[static_cast<std::size_t>(at)] != rank) ++at;
        return order_[static_cast<std::size_t>((at + places + size()) % size())];
    }

private:
    int size() const { return static_cast<int>(order_.size()); }

    std::vector<int> order_;
};

} // namespace imb::p2p
