// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <type_traits>

namespace osu {

/// What a rank contributes to a rank (or to everyone) in one round of a check: whole numbers that differ from element
/// to element, rank to rank and round to round, and that every type adds up exactly over so many ranks.
struct contribution {
    std::size_t round;
    int added_up; // ranks whose elements are added; 1: they are copied

    template <class T>
    T element(int rank, int to, std::size_t i) const {
        auto const value =
            round + 7 * (i + 1) + 31 * static_cast<std::size_t>(rank) + 13 * static_cast<std::size_t>(to + 1);
        if (std::is_same_v<T, char> && added_up > 1) return static_cast<T>(small(value, rank, i));
        return static_cast<T>(value % 1021); // float holds the sum of 16,000 such
    }

private:
    /// MPI libraries differ in what a sum above 127 is (Open MPI's vector code stops there), so no sum is: of many
    /// ranks only every n-th adds to an element.
    std::size_t small(std::size_t value, int rank, std::size_t i) const {
        constexpr std::size_t most = 127;
        auto const ranks = static_cast<std::size_t>(added_up);
        auto const every = (ranks + most - 1) / most;
        auto const adding = (ranks + every - 1) / every;
        return (static_cast<std::size_t>(rank) + i) % every == 0 ? value % (most / adding + 1) : 0;
    }
};

} // namespace osu
