// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace imb {

/// A whole number of bytes, also with k for 2^10, m for 2^20 or g for 2^30; of other texts none.
std::optional<std::size_t> size_of(std::string text);

// Files that options name, one word a line; blank lines, and those that begin with #, say nothing. One that cannot be
// read throws common::refusal.

/// -msglen: sizes, as `size_of` reads them. Refused where a line is none, or there is none.
std::vector<std::size_t> sizes_in(std::string const& path);

/// -input: the first word of each line.
std::vector<std::string> names_in(std::string const& path);

} // namespace imb
