// SPDX-License-Identifier: BSL-1.0
#include "blocks.hpp"

#include "numbers.hpp"
#include "refusal.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstring>
#include <fstream>

namespace osu {

namespace {

[[noreturn]] void refuse_file(std::string const& file, std::string const& why) {
    throw refusal{why + " [-D indx:" + file + "]; accepted: a file of lines 'DISPLACEMENT, LENGTH' in elements"};
}

block block_of(std::string line, std::string const& file, int at) {
    std::erase_if(line, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
    auto const parts = split(line, ',');
    auto const where = parts.size() == 2 ? number<int>(parts[0], 0, INT_MAX) : std::nullopt;
    auto const length = parts.size() == 2 ? number<int>(parts[1], 0, INT_MAX) : std::nullopt;
    if (!where || !length) refuse_file(file, "Line " + std::to_string(at) + " is no block");
    return {*where, *length};
}

/// MPI does not allow a receive to write the same place twice.
void require_apart(std::vector<block> blocks, std::string const& file) {
    std::sort(blocks.begin(), blocks.end(),
              [](block const& a, block const& b) { return a.displacement < b.displacement; });
    for (std::size_t i = 1; i < blocks.size(); ++i)
        if (blocks[i].displacement < blocks[i - 1].displacement + std::int64_t{blocks[i - 1].length})
            refuse_file(file, "Blocks overlap");
}

} // namespace

std::vector<block> read_blocks(std::string const& file) {
    std::ifstream in{file};
    if (!in) refuse_file(file, std::string{"Cannot read the file ("} + std::strerror(errno) + ")");
    std::vector<block> blocks;
    std::string line;
    for (int at = 1; std::getline(in, line); ++at)
        if (auto const text = line.find_first_not_of(" \t\r"); text != line.npos && line[text] != '#')
            blocks.push_back(block_of(line, file, at));
    if (blocks.empty()) refuse_file(file, "There is no block");
    require_apart(blocks, file);
    return blocks;
}

} // namespace osu
