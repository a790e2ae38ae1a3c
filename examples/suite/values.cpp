// SPDX-License-Identifier: BSL-1.0
#include "suite/values.hpp"

#include "suite/refusal.hpp"

#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <system_error>

namespace suite {

namespace {

std::pair<int, int> pair_of(std::string line, pair_file const& file, int at) {
    std::erase_if(line, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
    auto const parts = split(line, ',');
    auto const first = parts.size() == 2 ? number<int>(parts[0], 0, INT_MAX) : std::nullopt;
    auto const second = parts.size() == 2 ? number<int>(parts[1], 0, INT_MAX) : std::nullopt;
    if (!first || !second) refuse_file(file, "Line " + std::to_string(at) + " is no " + file.item);
    return {*first, *second};
}

} // namespace

void refuse_file(pair_file const& file, std::string const& why) {
    throw refusal{why + " [" + file.option + file.path + "]; accepted: " + file.accepted};
}

std::vector<std::pair<int, int>> read_pairs(pair_file const& file) {
    std::ifstream in{file.path};
    if (!in) refuse_file(file, std::string{"Cannot read the file ("} + std::strerror(errno) + ")");
    std::vector<std::pair<int, int>> pairs;
    std::string line;
    for (int at = 1; std::getline(in, line); ++at)
        if (auto const text = line.find_first_not_of(" \t\r"); text != line.npos && line[text] != '#')
            pairs.push_back(pair_of(line, file, at));
    if (pairs.empty()) refuse_file(file, "There is no " + file.item);
    return pairs;
}

namespace {

std::string trimmed(std::string const& line) {
    constexpr auto blanks = " \t\r\v\f";
    auto const from = line.find_first_not_of(blanks);
    return from == line.npos ? "" : line.substr(from, line.find_last_not_of(blanks) + 1 - from);
}

/// Calls f with each line that is not blank or a comment, without blanks around, and its number from 1.
void for_lines(std::string const& path, std::string const& option,
               std::function<void(std::string const&, int)> const& f) {
    errno = 0;
    std::ifstream file{path};
    std::string line;
    for (auto number = 1; std::getline(file, line); ++number)
        if (auto const text = trimmed(line); !text.empty() && text.front() != '#') f(text, number);
    if (file.eof() && !file.bad()) return;
    throw refusal{"Cannot read the file of " + option + " " + path + ": " + std::generic_category().message(errno)};
}

} // namespace

std::optional<std::size_t> imb_size_in(std::string_view text) {
    return text.find_first_not_of("0123456789kKmMgG") == text.npos ? size_in(text) : std::nullopt;
}

std::vector<std::size_t> sizes_in(std::string const& option, std::string const& path) {
    std::vector<std::size_t> all;
    for_lines(path, option, [&](std::string const& line, int number) {
        auto const size = imb_size_in(line);
        if (!size)
            throw refusal{"Invalid size in line " + std::to_string(number) + " of " + option + " " + path + ": " +
                          line + "; accepted: a whole number of bytes, also with k, m or g"};
        all.push_back(*size);
    });
    if (all.empty()) throw refusal{"No size in the file of " + option + " " + path + "; accepted: one a line"};
    return all;
}

std::vector<std::string> names_in(std::string const& option, std::string const& path) {
    std::vector<std::string> all;
    for_lines(path, option,
              [&](std::string const& line, int) { all.push_back(line.substr(0, line.find_first_of(" \t"))); });
    if (all.empty()) throw refusal{"No name in the file of " + option + " " + path + "; accepted: one a line"};
    return all;
}

} // namespace suite
