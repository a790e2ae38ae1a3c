// SPDX-License-Identifier: BSL-1.0
#include "tools/model/read/tables.hpp"

#include "tools/model/read/readers.hpp"

#include <sonde/report/text.hpp>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <system_error>

namespace tools::model {

double text_lines::number(std::size_t line, std::string const& word, std::string const& column) const {
    double value = 0;
    auto const end = word.data() + word.size();
    auto const [stopped, error] = std::from_chars(word.data(), end, value);
    if (error != std::errc{} || stopped != end || !std::isfinite(value))
        fail(line, column + ": '" + word + "' is no number");
    return value;
}

void text_lines::fail(std::size_t line, std::string const& text) const {
    throw std::runtime_error{position(line) + text};
}

double text_lines::positive(std::size_t line, std::string const& word, std::string const& column) const {
    auto const value = number(line, word, column);
    if (!(value > 0)) fail(line, column + ": " + word + " is not above zero");
    return value;
}

double text_lines::at_least_zero(std::size_t line, std::string const& word, std::string const& column) const {
    auto const value = number(line, word, column);
    if (!(value >= 0)) fail(line, column + ": " + word + " is below zero");
    return value;
}

bool begins_row(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    return !line.empty() && (std::isdigit(static_cast<unsigned char>(line[0])) != 0 || line[0] == '-');
}

std::vector<std::string> words_of(std::string_view line) {
    std::istringstream in{std::string{line}};
    return {std::istream_iterator<std::string>{in}, {}};
}

double half_a_digit(std::string const& word) {
    auto const end = std::min(word.find_first_of("eE"), word.size()), point = std::min(word.find('.'), end);
    auto const power = end == word.size() ? 0 : std::atoi(word.c_str() + end + 1);
    auto const decimals = point == end ? 0 : static_cast<int>(end - point - 1);
    return 0.5 * std::pow(10, power - decimals);
}

std::string read_text(std::string const& path) {
    if (std::filesystem::is_directory(path)) throw std::runtime_error{path + ": is a folder"};
    std::ifstream file{path, std::ios::binary};
    if (!file) throw std::system_error{errno, std::generic_category(), "cannot read '" + path + "'"};
    std::string const text{std::istreambuf_iterator<char>{file}, {}};
    if (text.find_first_not_of(" \t\r\n") == text.npos) throw std::runtime_error{path + ": is empty"};
    if (text.find('\0') != text.npos) throw std::runtime_error{path + ": is no text"};
    return text;
}

namespace {

text_lines lines_of(std::string const& path, std::string const& text) {
    text_lines all{path, {}};
    std::istringstream in{text};
    for (std::string line; std::getline(in, line);) {
        if (line.ends_with('\r')) line.pop_back();
        all.lines.push_back(line);
    }
    return all;
}

bool is_json(std::string const& text) { return text[text.find_first_not_of(" \t\r\n")] == '{'; }

tables_read read_any_format(std::string const& path) {
    auto const text = read_text(path);
    if (is_json(text)) return read_json_tables(path, text);
    auto const in = lines_of(path, text);
    auto const omb = is_omb_text(in), imb = is_imb_text(in);
    if (omb && imb) throw std::runtime_error{path + ": holds tables of the OSU and of the Intel MPI Benchmarks"};
    if (omb) return read_omb_text(in);
    if (imb) return read_imb_text(in);
    throw std::runtime_error{path +
                             ": is neither JSON lines of Sonde nor output of the OSU or the Intel MPI Benchmarks"};
}

} // namespace

tables_read read_tables(std::string const& path) {
    auto read = read_any_format(path);
    if (!read.tables.empty() || !read.round_trips.empty()) return read;
    auto const unused = sonde::detail::joined(read.unused, ", ");
    throw std::runtime_error{path + ": holds nothing that a model is fitted to" +
                             (unused.empty() ? "" : ", only " + unused)};
}

sonde::seconds slowest(table_row const& r) { return *std::max_element(r.times.begin(), r.times.end()); }

namespace {

/// Median, over common sizes, of the ratio of the longer to the shorter time; 1 without common sizes.
double median_ratio(table const& a, table const& b) {
    std::vector<double> ratios;
    for (auto const& r : a.rows)
        for (auto const& s : b.rows)
            if (r.bytes == s.bytes) ratios.push_back(slowest(r) / slowest(s));
    if (ratios.empty()) return 1;
    auto const middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
    std::nth_element(ratios.begin(), middle, ratios.end());
    return std::max(*middle, 1 / *middle);
}

} // namespace

void refuse_mixed_units(std::vector<table> const& used) {
    for (auto const& a : used)
        for (auto const& b : used)
            if (auto const ratio = a.pairs == b.pairs ? median_ratio(a, b) : 1; ratio > 10)
                throw std::runtime_error{a.path + " and " + b.path + ": times of the same sizes are " +
                                         std::to_string(std::lround(ratio)) + " times apart: mixed units?"};
}

} // namespace tools::model
