// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace imb::p2p {

/// Ranks in a periodic Cartesian grid: rank = (z * y-length + y) * x-length + x.
struct grid {
    int x = 2;
    int y = 2;
    int z = 1;

    int ranks() const { return x * y * z; }
    /// "z x y x x", or "y x x" for a single layer.
    std::string text() const {
        auto const plane = std::to_string(y) + " x " + std::to_string(x);
        return z == 1 ? plane : std::to_string(z) + " x " + plane;
    }
    /// Neighbors of a rank: before and after it in x, then in y, and in z if there are several layers.
    std::vector<int> neighbors(int rank) const {
        int const lengths[] = {x, y, z};
        std::vector<int> all;
        auto step = 1;
        for (std::size_t d = 0; d != (z == 1 ? 2U : 3U); ++d) {
            auto const length = lengths[d], at = rank / step % length;
            for (auto const next : {at + length - 1, at + 1}) all.push_back(rank + (next % length - at) * step);
            step *= length;
        }
        return all;
    }
};

/// IMB-P2P's grid in two dimensions: start with the smallest square of at least that many ranks, then reduce the rows
/// to a divisor of the ranks. A length may be 1.
inline grid plane_of(int ranks) {
    grid g;
    while (g.ranks() < ranks) ++g.x, ++g.y;
    if (g.ranks() == ranks) return g;
    while (ranks % g.y != 0) --g.y;
    g.x = ranks / g.y;
    return g;
}

/// IMB-P2P's grid in three dimensions: start with the smallest cube of at least that many ranks, then reduce the layers
/// to divisors of the ranks until a layer has at least as many rows as there are layers. A length may be 1, and the
/// grid may have more or fewer ranks.
inline grid space_of(int ranks) {
    grid g{2, 2, 2};
    while (g.ranks() < ranks) ++g.x, ++g.y, ++g.z;
    while (g.ranks() > ranks) {
        do --g.z;
        while (ranks % g.z != 0);
        auto const layer = plane_of(ranks / g.z);
        if (layer.y >= g.z) g = {layer.x, layer.y, g.z};
    }
    return g;
}

inline bool fits_plane(int ranks) {
    auto const g = plane_of(ranks);
    return g.x > 1 && g.y > 1;
}

inline bool fits_space(int ranks) {
    auto const g = space_of(ranks);
    return g.x > 1 && g.y > 1 && g.z > 1 && g.ranks() == ranks;
}

} // namespace imb::p2p
