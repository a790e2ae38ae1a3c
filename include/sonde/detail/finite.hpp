// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <bit>
#include <cstdint>

namespace sonde::detail {

/// True unless the number is infinite or NaN, for numbers that come from outside: of files, of an application's metrics
/// and rules. By the bits of the exponent: with -ffast-math compilers take std::isfinite and x == x for true.
constexpr bool is_finite(double x) {
    constexpr std::uint64_t exponent = 0x7ff0'0000'0000'0000u;
    return (std::bit_cast<std::uint64_t>(x) & exponent) != exponent;
}

} // namespace sonde::detail
