// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>

namespace imb::io {

/// What a rank moves of each transfer.
struct part {
    std::size_t start;
    std::size_t bytes;
};

/// A size is that of all ranks together: units of four bytes, shared out in one piece each, the first ranks one more
/// where they do not divide; the end is cut to the size. Ranks may get nothing.
inline part part_of(std::size_t size, int rank, int ranks) {
    auto const r = static_cast<std::size_t>(rank), p = static_cast<std::size_t>(ranks);
    auto const units = (size + 3) / 4, each = units / p, more = units % p;
    auto const begin = std::min(4 * (r * each + std::min(r, more)), size);
    return {begin, std::min(4 * (each + (r < more ? 1 : 0)), size - begin)};
}

} // namespace imb::io
