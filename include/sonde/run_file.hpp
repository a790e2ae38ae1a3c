// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/environment.hpp>
#include <sonde/record.hpp>
#include <sonde/time.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sonde {

/// One start of a program among several: what was started and how it ended.
struct launch {
    std::size_t number = 1; // from 1, in the file it was first written to
    std::string command;    // as a shell reads it
    std::string outcome;    // "exit status 0", "signal 9", "time-out"
    seconds wall{};
};

/// What a file holds of one run.
struct run_file {
    std::optional<launch> launched; // where `sonde-launch` started it
    std::optional<environment> made_in;
    std::vector<record> records;
};

} // namespace sonde
