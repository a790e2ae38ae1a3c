// SPDX-License-Identifier: BSL-1.0
#include "pair_file.hpp"

#include "common.hpp"

#include <cerrno>
#include <climits>
#include <cstring>
#include <fstream>

namespace osu {

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

} // namespace osu
