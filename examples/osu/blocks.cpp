// SPDX-License-Identifier: BSL-1.0
#include "blocks.hpp"

#include "pair_file.hpp"

#include <algorithm>
#include <cstdint>

namespace osu {

namespace {

/// MPI does not allow a receive to write the same place twice.
void require_apart(std::vector<block> blocks, pair_file const& file) {
    std::sort(blocks.begin(), blocks.end(),
              [](block const& a, block const& b) { return a.displacement < b.displacement; });
    for (std::size_t i = 1; i < blocks.size(); ++i)
        if (blocks[i].displacement < blocks[i - 1].displacement + std::int64_t{blocks[i - 1].length})
            refuse_file(file, "Blocks overlap");
}

} // namespace

std::vector<block> read_blocks(std::string const& path) {
    pair_file const file{"-D indx:", path, "block", "a file of lines 'DISPLACEMENT, LENGTH' in elements"};
    std::vector<block> blocks;
    for (auto const& [displacement, length] : read_pairs(file)) blocks.push_back({displacement, length});
    require_apart(blocks, file);
    return blocks;
}

} // namespace osu
