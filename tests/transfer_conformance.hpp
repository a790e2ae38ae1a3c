// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstring>

/// What one-sided transfers of any backend deliver.
namespace conformance {

constexpr std::size_t largest_block = 4096, blocks = 5; // bytes of a block, blocks of a pattern

/// Byte `i` of the data of a rank in round `round`.
inline std::byte content(int rank, std::size_t i, int round) {
    return std::byte(rank * 31 + static_cast<int>(i % 251) + round);
}

/// True if the first n bytes are those of a rank, and the byte behind them is untouched.
inline bool is_from(sonde::region bytes, std::size_t n, int rank, int round) {
    for (std::size_t i = 0; i != n; ++i)
        if (bytes[i] != content(rank, i, round)) return false;
    return n == bytes.size() || bytes[n] == std::byte{0xEE};
}

/// Every rank transfers its bytes to its right neighbor (`puts`), or gets those of its right neighbor: `make(bytes)`
/// makes the pattern, whose iteration moves the blocks; `after(from, round)` is called behind it. Collective.
void check_transfers(auto& ranks, sonde::region from, sonde::region into, bool puts, auto make, auto after) {
    auto const size = ranks.size(), source = (ranks.rank() + (puts ? size - 1 : 1)) % size;
    int round = 0;
    for (std::size_t const bytes : {std::size_t{1}, std::size_t{8}, std::size_t{100}, largest_block}) {
        ++round;
        for (std::size_t i = 0; i != from.size(); ++i) from[i] = content(ranks.rank(), i, round);
        std::memset(into.data(), 0xEE, into.size());
        ranks.barrier();
        auto pattern = make(bytes);
        pattern();
        after(from, round);
        ranks.barrier(); // puts: the left neighbor has completed its own
        CHECK(is_from(into, blocks * bytes, source, round));
        ranks.barrier();
    }
}

} // namespace conformance
