// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

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

/// How many characters a UTF-8 text has.
inline std::size_t letters(std::string_view text) {
    std::size_t count = 0;
    for (char const c : text) count += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    return count;
}

/// Filled with blanks up to `width` characters: behind what stands left, before what stands right.
inline std::string padded(std::string_view text, std::size_t width, bool left) {
    auto const used = letters(text);
    std::string const blanks(used < width ? width - used : 0, ' ');
    return left ? std::string{text} + blanks : blanks + std::string{text};
}

} // namespace sonde::detail
