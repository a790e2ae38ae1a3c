// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/process.hpp"
#include "tools/records/launch_file.hpp"
#include "tools/tune/candidates.hpp"
#include "tools/tune/choice.hpp"

#include <sonde/clock.hpp>
#include <sonde/measure/record.hpp>

#include <cstddef>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace tools::tune {

/// A signal ended the launches.
struct interruption : std::runtime_error {
    explicit interruption(int number) : std::runtime_error{"interrupted"}, signal{number} {}
    int signal;
};

/// Result of a launch: a time for each row, or the reason why there is none.
struct launch_result {
    std::vector<tuned_row> rows{};
    std::vector<double> medians{};     // seconds, of the rows
    std::vector<double> resolutions{}; // of the clock, for an iteration, in seconds
    std::string failure{};             // "exit status 1"; empty if the launch succeeded
    std::string output{};              // the end of it, if the launch failed
    sonde::seconds wall{};
};

/// The rows of a launch, a time each: the median of the samples. A row that a launch has twice is two rows.
void add_rows(std::vector<sonde::record> const& records, launch_result& to);

/// Times of `rows`, in their order; empty if the launch lacks one, or a time is not positive.
std::optional<std::vector<double>> times_of(launch_result const& launch, std::vector<tuned_row> const& rows);

/// Program that is launched again and again, with settings in its environment.
class job {
public:
    /// Records go to the file `records`; without a name they are not kept. Temporary files are beside `beside`.
    job(std::vector<std::string> command, std::string const& records, std::string const& beside);

    /// Launch the program. `env` takes the words, such as NAME=VALUE, so that the kept command can be repeated. Throws
    /// interruption, and std::system_error if the records cannot be written.
    launch_result launch(environment_words const& words, std::optional<sonde::seconds> limit);

    /// Control variables of the library, those of these names included, from `sonde-tune settings` in place of the
    /// program behind the launcher. Throws std::runtime_error if that fails.
    library_settings settings(environment_words const& with, std::vector<std::string> const& names = {}) const;

    std::vector<std::string> const& command() const { return command_; }
    /// Path of a temporary file, which the ranks can read.
    std::string temporary(std::string const& name) const { return folder_.path(name); }

private:
    std::vector<std::string> command_;
    std::string records_;
    temporary_folder folder_;
    std::size_t launches_; // in the file of records
};

/// Words before the program of a command: "mpirun -n 4" of "mpirun -n 4 ./solver". The program is the first word after
/// the launcher that can be executed; a command without such a word has no launcher.
std::vector<std::string> launcher_of(std::vector<std::string> const& command);

/// True if a word names a file that can be executed, as a path or on PATH.
bool is_program(std::string const& word);

/// Functions that a trace calls, if a word of the command is a trace: "allreduce", "isend", in lower case.
std::set<std::string> calls_of_trace(std::vector<std::string> const& command);

} // namespace tools::tune
