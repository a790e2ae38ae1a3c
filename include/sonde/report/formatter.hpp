// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/report/to_string.hpp>

#include <version>

// std::formatter of all results that <sonde/report/to_string.hpp> writes, where the standard library has <format>
// (libstdc++ 13 and later): `std::format("{}", r)`, `std::format("{:>60}", r)`. Elsewhere this header is the other one.

#ifdef __cpp_lib_format
#include <format>
#include <string_view>

/// Formats `sonde::to_string(value)`, with the options of a text: fill, alignment, width and precision.
template <sonde::detail::HasText T>
struct std::formatter<T, char> : std::formatter<std::string_view, char> {
    template <class Context>
    auto format(T const& value, Context& context) const {
        return std::formatter<std::string_view, char>::format(sonde::to_string(value), context);
    }
};
#endif
