// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>

namespace sonde::detail {

// By to_chars, which knows no locale: an application's decimal comma stays out of the files.

/// The shortest text that reads back as the same number.
inline std::string shortest(double value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

/// With so many digits behind the point.
inline std::string fixed(double value, int decimals) {
    char text[400]; // the largest double has 309 digits before the point
    return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, decimals).ptr};
}

inline std::string scientific(double value, int decimals) {
    char text[400];
    return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, decimals).ptr};
}

/// Filled with blanks up to `width` characters, on the left for what stands right.
inline std::string padded(std::string_view text, std::size_t width, bool left) {
    std::string const blanks(text.size() < width ? width - text.size() : 0, ' ');
    return left ? std::string{text} + blanks : blanks + std::string{text};
}

} // namespace sonde::detail
