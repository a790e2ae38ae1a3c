// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/process.hpp"

#include <sonde/clock.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tools {

/// Command line of `sonde-launch`.
struct launch_options {
    std::vector<std::string> command;
    std::string out;
    std::size_t launches = 10;
    bool append = false;
    bool verbose = false;
    std::optional<sonde::seconds> limit; // of one launch
};

/// Launch the program repeatedly and append every launch that left records to the file. Progress and errors go to
/// stderr. If the first launch fails, there is no other. Returns the exit status: 0, 1 if a launch failed, 128 + N if
/// signal N ended the series. Throws if the program cannot be started or the file cannot be written.
int launch_all(launch_options const& options);

/// Progress of a series of launches.
struct launch_progress {
    std::size_t planned = 0;
    std::size_t done = 0;
    std::size_t failed = 0; // ended with an error, or left no record
    sonde::seconds total{};

    void add(ending const& e, std::size_t records) {
        ++done;
        failed += !e.succeeded() || records == 0;
        total += e.wall;
    }
};

/// Line about the launch that was added last: its duration, its records and the remaining time, or its failure.
std::string line_of(launch_progress const& progress, ending const& e, std::size_t records);

/// Warning if a median over `launches` launches has no 95 % interval; otherwise empty.
std::string too_few(std::size_t launches);

} // namespace tools
