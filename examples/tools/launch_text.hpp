// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "process.hpp"

#include <sonde/time.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace tools {

/// How far a series of launches is.
struct launch_count {
    std::size_t asked = 0;
    std::size_t done = 0;
    std::size_t failed = 0; // did not end well, or left no record
    sonde::seconds total{};

    void add(ending const& e, std::size_t records) {
        ++done;
        failed += !e.well() || records == 0;
        total += e.wall;
    }
};

/// "launch 3 of 10", the one after those done.
std::string title_of(launch_count const& so_far);

/// What there is to say of the launch that was added last.
std::string line_of(launch_count const& so_far, ending const& e, std::size_t records);

/// A warning where so many launches have no 95 % interval of their median; else nothing.
std::string too_few(std::size_t launches);

/// A warning where the environment in this file has ranks that may move between processors; else nothing.
std::string floating_in(std::string const& json_file);

/// As a shell reads it.
std::string text_of(std::vector<std::string> const& words);

} // namespace tools
