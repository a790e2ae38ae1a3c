// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>

namespace sonde {

/// Rounds in which all pairs of a number of ranks meet once and each rank has at most one partner: a 1-factorization
/// of the complete graph by the circle method (Kirkman 1847). An odd number of ranks needs one round more, and one rank
/// is idle in each.
class pairing_rounds {
public:
    explicit constexpr pairing_rounds(int ranks) : ranks_{ranks} {}

    /// ranks - 1 for an even number, ranks for an odd one, 0 for fewer than two.
    constexpr int size() const { return ranks_ < 2 ? 0 : circle(); }

    /// The partner of a rank in a round; none if the rank is idle. Every partner names the other one.
    constexpr std::optional<int> partner(int round, int rank) const {
        auto const n = circle();
        auto const of_last = round % 2 == 0 ? round / 2 : (round + n) / 2; // it would meet itself: 2 i = round (mod n)
        auto const met = rank == n ? of_last : rank == of_last ? n : (round - rank + n) % n;
        return met < ranks_ ? std::optional{met} : std::nullopt;
    }

private:
    /// Number of ranks on the circle, odd; rank `circle()` is in its center, or absent.
    constexpr int circle() const { return ranks_ - 1 + ranks_ % 2; }

    int ranks_;
};

} // namespace sonde
