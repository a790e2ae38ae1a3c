// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <cstddef>
#include <cstdint>

namespace sonde::detail {

/// N counts.
template <std::size_t N>
class tally {
public:
    void add(std::size_t i) { ++counts_[i]; }
    void add(std::size_t i, std::uint64_t n) { counts_[i] += n; }
    std::uint64_t operator[](std::size_t i) const { return counts_[i]; }

private:
    std::uint64_t counts_[N]{};
};

/// N counts of 48 bits each: at twenty million passes a second, enough for five months.
template <std::size_t N>
class short_tally {
public:
    void add(std::size_t i) {
        if (++low_[i] == 0) ++high_[i];
    }
    void add(std::size_t i, std::uint64_t n) {
        auto const all = (*this)[i] + n;
        low_[i] = static_cast<std::uint32_t>(all);
        high_[i] = static_cast<std::uint16_t>(all >> 32);
    }
    std::uint64_t operator[](std::size_t i) const { return (std::uint64_t{high_[i]} << 32) | low_[i]; }

private:
    std::uint32_t low_[N]{};
    std::uint16_t high_[N]{};
};

} // namespace sonde::detail
