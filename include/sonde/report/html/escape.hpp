// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace sonde::detail {

/// How many bytes a multi-byte UTF-8 character has by its first one; 0 where that begins none.
inline std::size_t utf8_length(unsigned char lead) {
    if (lead >= 0xc2 && lead < 0xe0) return 2;
    if (lead >= 0xe0 && lead < 0xf0) return 3;
    return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}

/// Overlong forms, surrogates, and what is beyond the last character, all told by the second byte.
inline bool utf8_out_of_range(unsigned char lead, unsigned char second) {
    return (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second >= 0xa0) || (lead == 0xf0 && second < 0x90) ||
           (lead == 0xf4 && second >= 0x90);
}

/// How many bytes of the text are its first character, as a page may hold it: UTF-8, no control character but the blank
/// ones; 0 where it is none.
inline std::size_t first_character(std::string_view text) {
    auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (byte(0) < 0x80) return byte(0) == '\t' || byte(0) == '\n' || (byte(0) >= 0x20 && byte(0) != 0x7f) ? 1 : 0;
    auto const length = utf8_length(byte(0));
    if (length == 0 || length > text.size() || utf8_out_of_range(byte(0), byte(1))) return 0;
    for (std::size_t i = 1; i != length; ++i)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    return length;
}

/// As UTF-8: each byte that is part of no character becomes U+FFFD.
inline std::string as_utf8(std::string_view bytes) {
    std::string text;
    while (!bytes.empty()) {
        auto const length = first_character(bytes);
        text += length == 0 ? std::string_view{"\xef\xbf\xbd"} : bytes.substr(0, length);
        bytes.remove_prefix(length == 0 ? 1 : length);
    }
    return text;
}

/// Text of outside (parameters, command lines, host names) as a page shows it, between tags or in quotes of either
/// kind: nothing in it is markup.
inline std::string html_escaped(std::string_view text) {
    std::string safe;
    for (char const c : as_utf8(text)) {
        if (c == '&') safe += "&amp;";
        else if (c == '<') safe += "&lt;";
        else if (c == '>') safe += "&gt;";
        else if (c == '"') safe += "&quot;";
        else if (c == '\'') safe += "&#39;";
        else safe += c;
    }
    return safe;
}

} // namespace sonde::detail
