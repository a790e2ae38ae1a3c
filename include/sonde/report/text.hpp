// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <charconv>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace sonde::detail {

/// `value` as formatted by std::to_chars, which ignores the locale: an application's decimal comma stays out of files.
template <class... Format>
std::string number_text(double value, Format... format) {
    char text[400]; // the largest double has 309 digits before the decimal point
    return {text, std::to_chars(text, text + sizeof text, value, format...).ptr};
}

/// The shortest text that reads back as the same number.
inline std::string shortest(double value) { return number_text(value); }

/// Fixed notation with `decimals` digits after the decimal point.
inline std::string fixed(double value, int decimals) { return number_text(value, std::chars_format::fixed, decimals); }

/// Scientific notation with `decimals` digits after the decimal point.
inline std::string scientific(double value, int decimals) {
    return number_text(value, std::chars_format::scientific, decimals);
}

/// The number of characters (code points) of a UTF-8 text.
inline std::size_t character_count(std::string_view text) {
    std::size_t count = 0;
    for (char const c : text) count += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    return count;
}

/// The text, filled with blanks up to `width` characters and aligned on the left or on the right.
inline std::string padded(std::string_view text, std::size_t width, bool left) {
    auto const used = character_count(text);
    std::string const blanks(used < width ? width - used : 0, ' ');
    return left ? std::string{text} + blanks : blanks + std::string{text};
}

/// The texts of all items, separated by `separator`; `text` makes a text of an item.
template <class Items, class Text = std::identity>
std::string joined(Items const& items, std::string_view separator, Text text = {}) {
    std::string line;
    auto first = true;
    for (auto const& item : items) {
        if (!std::exchange(first, false)) line += separator;
        line += std::invoke(text, item);
    }
    return line;
}

} // namespace sonde::detail
