// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/trace/packed_times.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace tools::replay {

namespace {

constexpr std::string_view digits_64 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
constexpr int exponent_bits = 5;

} // namespace

std::string packed_time(double seconds, int digits) {
    auto const bits = 6 * digits - exponent_bits;
    auto const one = std::uint64_t{1} << bits; // of the mantissa
    auto const longest = std::ldexp(static_cast<double>(2 * one - 1), (1 << exponent_bits) - 2);
    auto const n = std::llround(std::clamp(seconds * 1e9, 0.0, std::min(longest, 9e18)));
    auto mantissa = static_cast<std::uint64_t>(n);
    auto const exponent_of = [&] { return std::max(static_cast<int>(std::bit_width(mantissa)) - bits, 0); };
    if (exponent_of() > 1) mantissa += std::uint64_t{1} << (exponent_of() - 2); // rounded
    auto const exponent = exponent_of();
    if (exponent > 0) mantissa = (mantissa >> (exponent - 1)) - one;
    auto number = static_cast<std::uint64_t>(exponent) << bits | mantissa;
    std::string text(static_cast<std::size_t>(digits), '0');
    for (auto digit = text.rbegin(); digit != text.rend(); ++digit, number >>= 6) *digit = digits_64[number & 63];
    return text;
}

double unpacked_time(std::string_view text) {
    std::uint64_t number = 0;
    for (auto const c : text) {
        auto const digit = digits_64.find(c);
        if (digit == std::string_view::npos) throw std::runtime_error{"a time has a character that is no digit"};
        number = number << 6 | digit;
    }
    auto const bits = 6 * static_cast<int>(text.size()) - exponent_bits;
    auto const exponent = static_cast<int>(number >> bits);
    auto const mantissa = number & ((std::uint64_t{1} << bits) - 1);
    if (exponent == 0) return static_cast<double>(mantissa) * 1e-9;
    return std::ldexp(static_cast<double>((std::uint64_t{1} << bits) + mantissa), exponent - 1) * 1e-9;
}

} // namespace tools::replay
