// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tools::model {

/// The lines of a text, and where they stand.
struct text_lines {
    std::string path;
    std::vector<std::string> lines;

    /// "path:number: " of that line, counted from 0 here and from 1 there.
    std::string at(std::size_t line) const { return path + ':' + std::to_string(line + 1) + ": "; }
    /// Throws std::runtime_error of it.
    [[noreturn]] void fail(std::size_t line, std::string const& text) const;
};

/// All of a file, which is read once: it may be a pipe. Throws std::runtime_error, with the path, for what cannot be
/// read, is empty, or is no text.
std::string read_text(std::string const& path);

text_lines lines_of(std::string const& path, std::string const& text);

/// Does it begin with a number, be it negative?
bool begins_row(std::string_view line);

/// What stands between blanks.
std::vector<std::string> words_of(std::string_view line);

/// A whole word as a number above zero, or from zero on; fails with its column's name.
double positive(text_lines const& in, std::size_t line, std::string const& word, std::string const& column);
double at_least_zero(text_lines const& in, std::size_t line, std::string const& word, std::string const& column);

/// Half a unit of the last digit of a number: 0.005 of "2.50".
double half_a_digit(std::string const& word);

} // namespace tools::model
