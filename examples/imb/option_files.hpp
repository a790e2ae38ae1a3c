// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace imb {

// Files that options name, one word a line; blank lines, and those that begin with #, say nothing. One that cannot be
// read throws common::refusal.

/// -msglen: sizes in bytes, with k for 2^10 and m for 2^20. Refused where a line is none, or there is none.
std::vector<std::size_t> sizes_in(std::string const& path);

/// -input: the first word of each line.
std::vector<std::string> names_in(std::string const& path);

} // namespace imb
