// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace suite {

/// The decimal number from `least` to `most` that is the whole text; none for other texts.
template <class N>
std::optional<N> number(std::string_view text, N least, N most) {
    N value{};
    auto const end = text.data() + text.size();
    auto const [stopped, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stopped != end || !sonde::detail::is_finite(static_cast<double>(value)))
        return std::nullopt;
    if (!(value >= least && value <= most)) return std::nullopt;
    return value;
}

/// Parts between separators, also empty ones; at least one.
inline std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (auto at = text.find(separator); at != text.npos; at = text.find(separator)) {
        parts.emplace_back(text.substr(0, at));
        text.remove_prefix(at + 1);
    }
    parts.emplace_back(text);
    return parts;
}

/// The text in small letters (ASCII).
inline std::string lower(std::string text) {
    for (auto& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

/// Bytes of the suffix of a size: 1 for "" and B; powers of 1024 for K, M, G and T, and for KiB, MiB, GiB and TiB; in
/// any case. None for other texts.
inline std::optional<std::size_t> size_unit(std::string_view suffix) {
    auto const unit = lower(std::string{suffix});
    if (unit.empty() || unit == "b") return 1;
    auto const power = std::string_view{"kmgt"}.find(unit[0]);
    if (power == std::string_view::npos || (unit.size() != 1 && unit.substr(1) != "ib")) return std::nullopt;
    return std::size_t{1} << (10 * (power + 1));
}

/// Size in bytes, at most `most`: a number with a suffix of size_unit, such as "4096", "64K" or "1MiB". The number is
/// whole or, for N double, may have a fraction; the size is rounded down. None for other texts.
template <class N = std::size_t>
std::optional<std::size_t> size_in(std::string_view text, std::size_t most = PTRDIFF_MAX) {
    N number{};
    auto const end = text.data() + text.size();
    auto const [stopped, error] = std::from_chars(text.data(), end, number);
    auto const unit = size_unit({stopped, end});
    if (error != std::errc{} || !unit || !sonde::detail::is_finite(static_cast<double>(number))) return std::nullopt;
    if (!(number >= 0 && number <= static_cast<N>(most / *unit))) return std::nullopt;
    return static_cast<std::size_t>(number * static_cast<N>(*unit));
}

/// Levenshtein distance: least number of letters to insert, remove or replace.
inline std::size_t edit_distance(std::string_view from, std::string_view to) {
    std::vector<std::size_t> row(to.size() + 1); // distances of the beginnings of `to`
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (auto const letter : from) {
        auto diagonal = row[0]++;
        for (std::size_t j = 0; j != to.size(); ++j) {
            auto const replaced = diagonal + (letter == to[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

/// The first of the names with the least distance to the word, in any case. None if it is no misspelling of one: more
/// than a third of its letters differ, or all.
inline std::optional<std::string> nearest(std::string const& word, std::vector<std::string> const& names) {
    auto const distance = [&](std::string const& name) { return edit_distance(lower(word), lower(name)); };
    auto const found = std::min_element(names.begin(), names.end(),
                                        [&](auto const& a, auto const& b) { return distance(a) < distance(b); });
    if (found == names.end()) return std::nullopt;
    auto const wrong = distance(*found);
    return 3 * wrong <= word.size() + 2 && wrong < word.size() ? std::optional{*found} : std::nullopt;
}

/// "; did you mean NAME?", or "" if the word is no misspelling of a name. `prefix` precedes the name.
inline std::string hint(std::string const& word, std::vector<std::string> const& names,
                        std::string const& prefix = {}) {
    auto const found = nearest(word, names);
    return found ? "; did you mean " + prefix + *found + "?" : "";
}

/// A file of pairs of numbers that an option names, and the words of its refusals.
struct pair_file {
    std::string option;   // "-D indx:"
    std::string path;     // "blocks.txt"
    std::string item;     // "block"
    std::string accepted; // "a file of lines 'DISPLACEMENT, LENGTH' in elements"
};

/// Throws refusal with the reason.
[[noreturn]] void refuse_file(pair_file const& file, std::string const& why);

/// Pairs of numbers from 0, one pair on each line. Empty lines and those that start with '#' are skipped. Throws
/// refusal if the file cannot be read, has an invalid line or has no pair.
std::vector<std::pair<int, int>> read_pairs(pair_file const& file);

/// Size of a message for IMB, which has only the suffixes k, m and g; see size_in.
std::optional<std::size_t> imb_size_in(std::string_view text);

/// Sizes of the file of an option, one on each line; see imb_size_in. Blank lines and those that begin with # are
/// skipped. Throws refusal if the file cannot be read, has an invalid line or has no size.
std::vector<std::size_t> sizes_in(std::string const& option, std::string const& path);

/// First words of the lines of the file of an option. Blank lines and those that begin with # are skipped. Throws
/// refusal if the file cannot be read or has no name.
std::vector<std::string> names_in(std::string const& option, std::string const& path);

} // namespace suite
