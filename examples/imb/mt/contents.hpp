// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "rows.hpp"

#include <sonde/buffer.hpp>

#include <cstddef>
#include <cstring>
#include <vector>

namespace imb::mt {

/// Element i of what a thread of a rank sends when contents are checked: 1009 at most, so that the sum of two million
/// ranks fits.
inline int value(int rank, int thread, std::size_t i) {
    auto const number = 101 * static_cast<std::size_t>(rank) + 17 * static_cast<std::size_t>(thread) + i;
    return 1 + static_cast<int>(number % 1009);
}

/// A message that an instance must find: where, and the sum of what ranks `first` to `last` sent.
struct arrival {
    std::size_t at; // bytes
    int first;
    int last;
};

inline void write_values(sonde::region to, int rank, int thread) {
    for (std::size_t i = 0; i != to.size() / sizeof(int); ++i) {
        auto const v = value(rank, thread, i);
        std::memcpy(&to[i * sizeof v], &v, sizeof v);
    }
}

/// Elements of a message that differ from what ranks' threads of this number sent.
inline std::size_t wrong_values(sonde::region found, arrival const& of, int thread) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i != found.size() / sizeof(int); ++i) {
        int expected = 0, actual = 0;
        for (auto rank = of.first; rank <= of.last; ++rank) expected += value(rank, thread, i);
        std::memcpy(&actual, &found[i * sizeof actual], sizeof actual);
        wrong += actual != expected;
    }
    return wrong;
}

/// No value that anybody sends.
inline void clear(sonde::region place) {
    if (!place.empty()) std::memset(place.data(), 0xff, place.size());
}

} // namespace imb::mt
