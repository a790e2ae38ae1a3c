// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace imb::p2p {

/// Ranks in a periodic grid: rank = (z * y-length + y) * x-length + x.
struct grid {
    int x = 2;
    int y = 2;
    int z = 1;

    int ranks() const { return x * y * z; }
    /// "z x y x x", as the suite writes it.
    std::string text() const {
        auto const plane = std::to_string(y) + " x " + std::to_string(x);
        return z == 1 ? plane : std::to_string(z) + " x " + plane;
    }
    /// Before and after a rank in x, then in y, and in z where there are several layers.
    std::vector<int> neighbours(int rank) const {
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

/// IMB-P2P's way to lay out ranks in a plane: the smallest square that holds them, then as many rows fewer as divides.
/// A length may come out as 1.
inline grid plane_of(int ranks) {
    grid found;
    while (found.ranks() < ranks) ++found.x, ++found.y;
    if (found.ranks() == ranks) return found;
    while (ranks % found.y != 0) --found.y;
    found.x = ranks / found.y;
    return found;
}

/// Its way in space: the smallest cube that holds them, then fewer layers, by divisors, until one is a plane at least
/// as deep as there are layers. A length may come out as 1, and the grid as one of more or fewer ranks.
inline grid space_of(int ranks) {
    grid found{2, 2, 2};
    while (found.ranks() < ranks) ++found.x, ++found.y, ++found.z;
    while (found.ranks() > ranks) {
        do --found.z;
        while (ranks % found.z != 0);
        auto const layer = plane_of(ranks / found.z);
        if (layer.y >= found.z) found = {layer.x, layer.y, found.z};
    }
    return found;
}

inline bool fits_plane(int ranks) {
    auto const [x, y, z] = plane_of(ranks);
    return x > 1 && y > 1;
}

inline bool fits_space(int ranks) {
    auto const found = space_of(ranks);
    return found.x > 1 && found.y > 1 && found.z > 1 && found.ranks() == ranks;
}

} // namespace imb::p2p
