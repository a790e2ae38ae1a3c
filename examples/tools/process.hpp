// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tools {

/// End of a program.
struct ending {
    int status = 0;      // of waitpid
    int interrupted = 0; // signal that this process received and that ended the program; otherwise 0
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

/// Temporary file that takes the output of a program.
class captured_output {
public:
    captured_output();

    int descriptor() const;
    /// The last 4 KB of the output.
    std::string end() const;

private:
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

} // namespace tools
