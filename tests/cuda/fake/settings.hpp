// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "control.hpp"

#include <cstddef>
#include <string>

namespace fake {

/// What the environment and costs() say.
struct settings {
    int devices = 1;
    int first = 0; // which of the host's devices is number 0 here: this rank's, where each sees one of its own
    std::string driver = "ok";
    std::size_t memory = std::size_t{16} << 30;
    bool readable = false;
    bool concurrent = true; // may host and device use managed memory at the same time?
    std::string log;
    std::string fail; // call:n, empty where it is another rank that fails
    cost costs;
};

/// Those in force. They change where a test says so, while nothing is under way.
settings& current_settings();

/// What the environment says now.
settings read_environment();

} // namespace fake
