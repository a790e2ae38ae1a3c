// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/environment.hpp>

#include <string>
#include <vector>

namespace tools {

/// The launches of one side of a comparison.
struct side {
    std::string path;
    std::vector<sonde::run_file> runs;
};

/// Reads them. Throws std::runtime_error, with the path, where the file cannot be read, is not of JSON lines, holds no
/// record or one without times.
side read_side(std::string const& path);

/// "10 launches", "1 launch".
std::string counted(std::size_t n, std::string const& noun);

/// What a reader should know of a side, one line each: launches that ended badly, or have no environment; ranks that
/// may move; a single launch.
std::vector<std::string> remarks(side const& s);

} // namespace tools
