// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace common {

/// The whole text as a decimal number from least to most, or none.
template <class N>
std::optional<N> number(std::string_view text, N least, N most) {
    N value{};
    auto const end = text.data() + text.size();
    auto const [stopped, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stopped != end || !(value >= least && value <= most)) return std::nullopt; // nor NaN
    return value;
}

/// The parts between separators: at least one, and empty ones too.
inline std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (auto at = text.find(separator); at != text.npos; at = text.find(separator)) {
        parts.emplace_back(text.substr(0, at));
        text.remove_prefix(at + 1);
    }
    parts.emplace_back(text);
    return parts;
}

inline std::string lower(std::string text) {
    for (auto& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

} // namespace common
