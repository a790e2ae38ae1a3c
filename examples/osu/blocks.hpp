// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <vector>

namespace osu {

/// A block of an indexed type, in elements.
struct block {
    int displacement;
    int length;
};

/// What a file of `-D indx:FILE` says: a line 'DISPLACEMENT, LENGTH' for each block; what starts with '#' is a comment.
/// Throws refusal where it cannot be read, holds no block or something else, or where blocks overlap.
std::vector<block> read_blocks(std::string const& path);

} // namespace osu
