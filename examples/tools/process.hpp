// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/time.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tools {

/// How a program ended.
struct ending {
    int status = 0;      // as waitpid says it
    int interrupted = 0; // the signal to us that ended it
    bool timed_out = false;
    sonde::seconds wall{};

    bool well() const { return status == 0 && interrupted == 0 && !timed_out; }
};

/// "exit status 3", "signal 9", "a time-out", "an interrupt".
std::string outcome(ending const& e);

/// Runs a program in a process group of its own, without input, its output to the file `output` or, where that is -1,
/// to ours. After `limit`, and where SIGINT, SIGTERM or SIGHUP ends us, the group gets SIGTERM and after five seconds
/// SIGKILL. Throws std::system_error where the program cannot be started.
ending run_program(std::vector<std::string> const& words, int output, std::optional<sonde::seconds> limit);

} // namespace tools
