// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>

namespace imb::p2p {

/// `-iter MAX,NUMERATOR`: as many repetitions as move so many bytes, one at least and `most` at most.
struct repetitions {
    std::size_t most = 100'000;
    std::size_t volume = std::size_t{800} << 20;

    std::size_t of(std::size_t bytes) const {
        if (bytes == 0) return most;
        auto const rounded = volume / bytes + (volume % bytes >= bytes - volume % bytes ? 1 : 0);
        return std::clamp(rounded, std::size_t{1}, most);
    }
    /// Of the warm-up before so many: a tenth, one at least where there are several.
    static std::size_t warm_up(std::size_t n) { return n > 1 ? std::max(n / 10, std::size_t{1}) : 0; }
};

} // namespace imb::p2p
