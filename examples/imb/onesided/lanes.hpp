// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <vector>

namespace imb {

/// One transfer of a repetition: whom it reaches, and where it lies within a slot of the origin's memory and of the
/// target's window, in bytes.
struct lane {
    int target;
    std::size_t at_origin = 0;
    std::size_t at_target = 0;
};

/// What a rank transfers in a repetition, in order, with messages of so many bytes. Every rank can ask it of all.
using lanes_of = std::vector<lane> (*)(int rank, int ranks, std::size_t bytes);

namespace lanes {

inline std::vector<lane> first_to_second(int rank, int, std::size_t) {
    return rank == 0 ? std::vector<lane>{{1}} : std::vector<lane>{};
}
inline std::vector<lane> second_to_first(int rank, int, std::size_t) {
    return rank == 1 ? std::vector<lane>{{0}} : std::vector<lane>{};
}
inline std::vector<lane> each_to_other(int rank, int, std::size_t) { return {{1 - rank}}; }
inline std::vector<lane> all_to_first(int, int, std::size_t) { return {{0}}; }

/// Round from the right neighbour. What is sent is the same for all.
inline std::vector<lane> to_all_others(int rank, int ranks, std::size_t) {
    std::vector<lane> found;
    for (int d = 1; d < ranks; ++d) found.push_back({(rank + d) % ranks});
    return found;
}
/// What comes back lies one after the other: MPI lets no two gets write to one place.
inline std::vector<lane> from_all_others(int rank, int ranks, std::size_t bytes) {
    auto found = to_all_others(rank, ranks, bytes);
    for (std::size_t k = 0; k != found.size(); ++k) found[k].at_origin = k * bytes;
    return found;
}
inline std::vector<lane> first_to_all_others(int rank, int ranks, std::size_t bytes) {
    return rank == 0 ? to_all_others(rank, ranks, bytes) : std::vector<lane>{};
}
inline std::vector<lane> first_from_all_others(int rank, int ranks, std::size_t bytes) {
    return rank == 0 ? from_all_others(rank, ranks, bytes) : std::vector<lane>{};
}

/// The first half with one neighbour, the second with the other.
inline std::vector<lane> left_and_right(int rank, int ranks, std::size_t bytes) {
    return {{(rank + ranks - 1) % ranks}, {(rank + 1) % ranks, bytes, bytes}};
}
inline std::vector<lane> right_and_left(int rank, int ranks, std::size_t bytes) {
    return {{(rank + 1) % ranks}, {(rank + ranks - 1) % ranks, bytes, bytes}};
}

} // namespace lanes

} // namespace imb
