// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tools {

/// Line of a text, without the launcher's label, surrounding blanks and carriage return.
struct text_line {
    std::string_view text;
    std::size_t number; // from 1, in the file
    std::size_t width;  // characters after the label, with leading blanks
    bool is_complete;   // false for a last line without a line feed: a killed job may have cut it
};

/// Lines with one label of a launcher: the output of one rank, or all lines of a file without labels.
struct text_stream {
    std::string rank; // of the label: "0" of "[1,0]<stdout>:", "node1" of "node1: "; empty without labels
    std::vector<text_line> lines;
};

/// Read a whole file, once: it may be a pipe. A byte order mark and colors are removed. Throws std::runtime_error, with
/// the path, if the file cannot be read, is empty, or is not text.
std::string read_text(std::string const& path);

/// As `read_text`, for the contents of a file.
std::string checked_text(std::string text, std::string const& path);

/// Form of the labels that a launcher, a container or a logger prints before lines.
struct label_form {
    std::string_view of, example;
};

using word_list = std::vector<std::string_view>;

/// Words of a line, separated by blanks.
word_list words_of(std::string_view line);

/// Removes from the words of a header what another process wrote behind it: a word in brackets and all after it, also
/// if it follows a title without a blank. True if there is any.
bool remove_foreign_words(word_list& header);

/// Length of the byte order mark at the beginning of a text, as editors and PowerShell write it, or 0.
std::size_t mark_length(std::string_view text);

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trimmed(std::string_view text);

/// Place of the first item with a title: of the items themselves, or of their member `title_of`.
template <class Items, class Title = std::identity>
std::optional<std::size_t> index_of(Items const& items, std::string_view title, Title title_of = {}) {
    auto const at = std::ranges::find(items, title, title_of);
    if (at == items.end()) return std::nullopt;
    return static_cast<std::size_t>(at - items.begin());
}

/// Finite number, if the word is one.
std::optional<double> number_in(std::string_view word);

/// Whole number up to 1e15, of digits alone.
std::optional<double> whole_number_in(std::string_view word);

/// Whole number up to a million, such as a number of ranks.
std::optional<std::size_t> count_in(std::string_view word);

/// Half a unit of a number's last digit: 0.005 for "2.50".
double half_a_digit(std::string_view word);

/// Largest rounding error of a time that follows from a printed number: of the time itself, or of a rate.
sonde::seconds rounding_of(sonde::seconds time, std::string_view word);

/// Number of digits after the point; empty for a word with an exponent and for a word that is not a number.
std::optional<std::size_t> decimals_of(std::string_view word);

/// The text as reporters write names (`sonde::detail::plain_text`), at most 200 characters.
std::string printable(std::string_view text);

} // namespace tools
