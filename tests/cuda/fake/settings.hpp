// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "control.hpp"

#include <cstddef>
#include <string>

namespace fake {

/// The settings of the environment and of costs().
struct settings {
    int devices = 1;
    int first = 0; // the host's device with number 0 in this process: this rank's, if each sees its own
    std::string driver = "ok";
    std::size_t memory = std::size_t{16} << 30;
    bool readable = false;
    bool concurrent = true; // concurrent access of host and device to managed memory
    std::string log;
    std::string fail; // call:n, empty if another rank fails
    cost costs;
};

/// The settings in use. Tests change them while no operation is active.
settings& current_settings();

/// The settings of the environment.
settings read_environment();

} // namespace fake
