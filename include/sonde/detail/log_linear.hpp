// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace sonde::detail {

/// Which bucket a whole number is in: below 2^Bits the number itself; then 2^Bits buckets of equal width for each power
/// of two; one for 2^Range and more.
template <int Bits, int Range>
struct log_linear {
    static_assert(Bits >= 0 && Bits < Range && Range < 63);

    static constexpr std::size_t last = std::size_t{Range - Bits + 1} << Bits;

    static std::size_t of(std::uint64_t n) {
        if (n >> Range != 0) return last;
        auto const shift = std::bit_width(n | (std::uint64_t{1} << Bits)) - (Bits + 1);
        return (static_cast<std::size_t>(shift) << Bits) + static_cast<std::size_t>(n >> shift);
    }

    /// Of the whole numbers in a bucket but the last.
    static double middle(std::size_t bucket) {
        auto const shift = bucket >> (Bits + 1) == 0 ? 0 : (bucket >> Bits) - 1;
        auto const first = std::uint64_t{bucket - (shift << Bits)} << shift;
        return static_cast<double>(first) + (static_cast<double>(std::uint64_t{1} << shift) - 1) / 2;
    }
};

} // namespace sonde::detail
