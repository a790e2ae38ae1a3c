// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace osu {

/// A file named in an option, and what its lines are called.
struct pair_file {
    std::string option;   // "-D indx:"
    std::string path;     // "blocks.txt"
    std::string item;     // "block"
    std::string accepted; // "a file of lines 'DISPLACEMENT, LENGTH' in elements"
};

/// Throws refusal that says why the file is none.
[[noreturn]] void refuse_file(pair_file const& file, std::string const& why);

/// Two numbers, from 0 on, of each line; empty lines, and those that start with '#', are left out. Throws refusal where
/// it cannot be read, or holds no item or something else.
std::vector<std::pair<int, int>> read_pairs(pair_file const& file);

} // namespace osu
