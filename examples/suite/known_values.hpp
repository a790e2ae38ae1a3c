// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

namespace suite {

/// Contributions of the ranks to a collective operation, or messages of the ranks, in one round of a validation: whole
/// numbers that differ between elements, ranks and rounds, and whose sums over the ranks are exact in every datatype.
/// Elements that are copied, and sums over all ranks, are at least 1, so that a buffer of zeros is wrong.
struct known_values {
    std::size_t round;
    int added_ranks; // number of ranks whose elements are added, exactly; 1: elements are copied

    /// Element i of the contribution of `rank` to rank `to`; -1: to all ranks. At least 1, unless more than 127 ranks
    /// add elements of one byte.
    template <class T>
    T element(int rank, int to, std::size_t i) const {
        auto const number =
            round + 7 * (i + 1) + 31 * static_cast<std::size_t>(rank) + 13 * static_cast<std::size_t>(to + 1);
        return static_cast<T>(sizeof(T) == 1 ? of_one_byte(number, rank, i) : from_one(number, 1020));
    }

private:
    /// 1 to `most`. A float represents the sum of 16,000 values up to 1020.
    static constexpr std::size_t from_one(std::size_t number, std::size_t most) { return 1 + (number - 1) % most; }

    /// A value whose sum over the ranks is at most 127, because MPI libraries differ in sums above it: Open MPI's
    /// vector code saturates. Of more than 127 ranks only every n-th adds to an element; the others add 0.
    std::size_t of_one_byte(std::size_t number, int rank, std::size_t i) const {
        constexpr std::size_t most = 127;
        auto const ranks = static_cast<std::size_t>(added_ranks);
        auto const every = (ranks + most - 1) / most;
        auto const adding = (ranks + every - 1) / every;
        return (static_cast<std::size_t>(rank) + i) % every == 0 ? from_one(number, most / adding) : 0;
    }
};

} // namespace suite
