// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory/buffer.hpp>

#include <cstddef>

/// Bytes that encode the rank that wrote them, the round, the message and the position in it.
namespace content {

inline std::byte at(int rank, std::size_t round, std::size_t message, std::size_t i) {
    auto const mixed =
        (i + 1) * 2654435761u + static_cast<std::size_t>(rank + 1) * 40503u + round * 97u + message * 193u;
    return static_cast<std::byte>(mixed >> 7);
}

inline void write(sonde::region into, int rank, std::size_t round, std::size_t message = 0) {
    for (std::size_t i = 0; i != into.size(); ++i) into[i] = at(rank, round, message, i);
}

inline std::size_t wrong(sonde::region found, int rank, std::size_t round, std::size_t message = 0) {
    std::size_t errors = 0;
    for (std::size_t i = 0; i != found.size(); ++i) errors += found[i] != at(rank, round, message, i);
    return errors;
}

} // namespace content
