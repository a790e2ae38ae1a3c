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

/// `value` as formatted by std::to_chars, which ignores the locale and so keeps an application's decimal comma out of
/// files.
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

/// The length in bytes of the first character of a text that is not empty; 0 if it is not valid UTF-8 (an overlong
/// form, a surrogate, a code point above U+10FFFF), not allowed in XML (U+FFFE, U+FFFF), or a control character other
/// than tab and line feed.
inline std::size_t first_character(std::string_view text) {
    auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    auto const lead = byte(0);
    if (lead < 0x80) return lead == '\t' || lead == '\n' || (lead >= 0x20 && lead != 0x7f) ? 1 : 0;
    std::size_t const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (lead < 0xc0 || lead >= 0xf8 || length > text.size()) return 0;
    unsigned code = lead & (0x7fu >> length);
    for (std::size_t i = 1; i != length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return 0;
        code = code << 6 | (byte(i) & 0x3fu);
    }
    auto const overlong_or_control = code < (length == 2 ? 0xa0u : length == 3 ? 0x800u : 0x10000u);
    auto const refused = (code >= 0xd800 && code < 0xe000) || code == 0xfffe || code == 0xffff || code > 0x10ffff;
    return overlong_or_control || refused ? 0 : length;
}

/// Valid UTF-8: each byte that `first_character` rejects is replaced by U+FFFD.
inline std::string as_utf8(std::string_view bytes) {
    std::string text;
    while (!bytes.empty()) {
        auto const length = first_character(bytes);
        text += length == 0 ? std::string_view{"\xef\xbf\xbd"} : bytes.substr(0, length);
        bytes.remove_prefix(length == 0 ? 1 : length);
    }
    return text;
}

/// Makes a text of an application, of an environment or of a file fit for one line of a file or terminal: valid UTF-8
/// without control characters. ASCII control characters, among them line breaks and the escape of terminals, become
/// blanks. Other bytes that are refused become U+FFFD. All reporters write names by this function.
inline std::string plain_text(std::string_view bytes) {
    std::string line{bytes};
    for (char& c : line)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    return as_utf8(line);
}

/// The first `max` characters of a UTF-8 text.
inline std::string_view first_characters(std::string_view text, std::size_t max) {
    std::size_t end = 0;
    for (std::size_t count = 0; end != text.size(); ++end)
        if ((static_cast<unsigned char>(text[end]) & 0xc0) != 0x80 && count++ == max) break;
    return text.substr(0, end);
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
