// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tools {

/// End of a program.
struct ending {
    int status = 0;      // of waitpid
    int interrupted = 0; // signal that this process received and that ended the program; 0 for none
    bool timed_out = false;
    sonde::seconds wall{};

    bool succeeded() const { return status == 0 && interrupted == 0 && !timed_out; }
};

/// "exit status 3", "signal 9", "a time-out", "an interrupt".
std::string outcome(ending const& e);

/// Run a program in a process group of its own, without standard input. Its output goes to the file descriptor
/// `output`, or to this process's output if that is -1. After `limit`, and if this process receives SIGINT, SIGTERM or
/// SIGHUP, the group gets SIGTERM and after five seconds SIGKILL. Throws std::system_error if the program cannot be
/// started.
ending run_program(std::vector<std::string> const& words, int output, std::optional<sonde::seconds> limit);

} // namespace tools
