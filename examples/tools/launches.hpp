// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/time.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tools {

/// What `sonde-launch` is asked to do.
struct launch_request {
    std::vector<std::string> command;
    std::string out;
    std::size_t launches = 10;
    bool append = false;
    bool verbose = false;
    std::optional<sonde::seconds> limit; // of one launch
};

/// Runs the program so often and adds every launch that left records to the file; progress, and what went wrong, goes
/// to stderr. The exit status: 0, 1 where a launch failed, 128 and the signal where one stopped us. Where the very
/// first launch fails, no other is tried. Throws where the program cannot be started, or the file not be written.
int launch_all(launch_request const& asked);

} // namespace tools
