// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/measure/environment.hpp>

#include <cstddef>
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

/// Command whose program writes its records to `file`: every `{json}` is replaced by its path; a command without
/// `{json}` gets `--report json=FILE` appended.
std::vector<std::string> with_report(std::vector<std::string> words, std::string const& file);

/// Throws std::runtime_error if a file has contents that are not JSON lines of Sonde: a log is no file for records.
void require_json_lines(std::string const& path);

/// Number of launches of `sonde-launch` in a file; 0 if there is no file.
std::size_t launches_in(std::string const& path);

/// Append a launch to the file `to`: a line of its own, then the lines that the program wrote to `from`, each record
/// with the launch's number. Without a record nothing is appended. Returns the number of records. Throws if `from` is
/// not JSON lines, or `to` cannot be written.
std::size_t collect(sonde::launch const& launch, std::string const& from, std::string const& to);

} // namespace tools
