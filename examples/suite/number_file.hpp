// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace suite {

/// A file of pairs of numbers that an option names, and the words of its refusals.
struct pair_file {
    std::string option;   // "-D indx:"
    std::string path;     // "blocks.txt"
    std::string item;     // "block"
    std::string accepted; // "a file of lines 'DISPLACEMENT, LENGTH' in elements"
};

/// Throws refusal with the reason.
[[noreturn]] void refuse_file(pair_file const& file, std::string const& why);

/// Pairs of numbers from 0, one pair on each line. Empty lines and those that start with '#' are skipped. Throws
/// refusal if the file cannot be read, has an invalid line or has no pair.
std::vector<std::pair<int, int>> read_pairs(pair_file const& file);

/// A whole number of bytes, with an optional suffix k for 2^10, m for 2^20 or g for 2^30; none for other texts.
std::optional<std::size_t> size_of(std::string text);

/// Sizes of the file of an option, one on each line; see size_of. Blank lines and those that begin with # are skipped.
/// Throws refusal if the file cannot be read, has an invalid line or has no size.
std::vector<std::size_t> sizes_in(std::string const& option, std::string const& path);

/// First words of the lines of the file of an option. Blank lines and those that begin with # are skipped. Throws
/// refusal if the file cannot be read.
std::vector<std::string> names_in(std::string const& option, std::string const& path);

} // namespace suite
