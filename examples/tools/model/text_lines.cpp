// SPDX-License-Identifier: BSL-1.0
#include "text_lines.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <system_error>

namespace tools::model {

namespace {

std::string contents(std::string const& path) {
    if (std::filesystem::is_directory(path)) throw std::runtime_error{path + ": is a folder"};
    std::ifstream file{path, std::ios::binary};
    if (!file) throw std::system_error{errno, std::generic_category(), "cannot read '" + path + "'"};
    return {std::istreambuf_iterator<char>{file}, {}};
}

double number(text_lines const& in, std::size_t line, std::string const& word, std::string const& column) {
    double value = 0;
    auto const end = word.data() + word.size();
    auto const [stopped, error] = std::from_chars(word.data(), end, value);
    if (error != std::errc{} || stopped != end || !std::isfinite(value))
        in.fail(line, column + ": '" + word + "' is no number");
    return value;
}

} // namespace

void text_lines::fail(std::size_t line, std::string const& text) const { throw std::runtime_error{at(line) + text}; }

std::string read_text(std::string const& path) {
    auto text = contents(path);
    if (text.find_first_not_of(" \t\r\n") == text.npos) throw std::runtime_error{path + ": is empty"};
    if (text.find('\0') != text.npos) throw std::runtime_error{path + ": is no text"};
    return text;
}

text_lines lines_of(std::string const& path, std::string const& text) {
    text_lines all{path, {}};
    std::istringstream in{text};
    for (std::string line; std::getline(in, line);) {
        if (line.ends_with('\r')) line.pop_back();
        all.lines.push_back(line);
    }
    return all;
}

bool begins_row(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    return !line.empty() && (std::isdigit(static_cast<unsigned char>(line[0])) != 0 || line[0] == '-');
}

std::vector<std::string> words_of(std::string_view line) {
    std::istringstream in{std::string{line}};
    return {std::istream_iterator<std::string>{in}, {}};
}

double positive(text_lines const& in, std::size_t line, std::string const& word, std::string const& column) {
    auto const value = number(in, line, word, column);
    if (!(value > 0)) in.fail(line, column + ": " + word + " is not above zero");
    return value;
}

double at_least_zero(text_lines const& in, std::size_t line, std::string const& word, std::string const& column) {
    auto const value = number(in, line, word, column);
    if (!(value >= 0)) in.fail(line, column + ": " + word + " is below zero");
    return value;
}

double half_a_digit(std::string const& word) {
    auto const end = std::min(word.find_first_of("eE"), word.size()), point = std::min(word.find('.'), end);
    auto const power = end == word.size() ? 0 : std::atoi(word.c_str() + end + 1);
    auto const decimals = point == end ? 0 : static_cast<int>(end - point - 1);
    return 0.5 * std::pow(10, power - decimals);
}

} // namespace tools::model
