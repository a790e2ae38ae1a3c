// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/options.hpp"

#include <functional>
#include <set>
#include <string>
#include <vector>

// Command lines of the tools: the rows of suite/options.hpp, --help, --version, and the words beside options.

namespace tools {

/// Words that a tool takes beside its options. A command is what stands behind "--": a program and its arguments.
enum class operands : unsigned char { none, one, any, command };

/// What is known of a tool, or of a command of it, beside its options.
struct tool_usage {
    char const* tool; // "sonde-map"
    operands takes;
    char const* usage; // the help above the options
};

/// A command line whose options have set their variables.
struct command_line {
    std::string answer{}; // what --help or --version prints in place of a run; else empty
    std::vector<std::string> operands{};
    std::set<std::string> options{}; // long names of those that are given

    bool has(std::string const& option) const { return options.count(option) != 0; }
};

/// Sets the variables of the options in the order given. Names of options are whole; --help and --version are added.
/// Throws suite::syntax_error, suite::refusal for a value, and what the value's function throws.
command_line read_options(tool_usage const& about, std::vector<suite::option_row> const& rows,
                          std::vector<std::string> const& words);

/// A command of a tool: the word behind the tool's name.
struct tool_command {
    std::string name;
    std::string help;
    std::function<int(int argc, char** argv)> run; // with the tool's whole command line; returns the exit status
};

/// Runs the command that the first word names. `about.usage` is the help above the commands, `rest` that below. Throws
/// std::invalid_argument for another word.
int run_command(tool_usage const& about, std::vector<tool_command> const& commands, std::string const& rest, int argc,
                char** argv);

/// Throws std::runtime_error: this build has no MPI, which the command needs.
int without_mpi(int argc, char** argv);

/// Throws std::invalid_argument if a file that is written is read, too, or is written twice. Empty names, and "-" for
/// the terminal, are no files.
void require_own_files(std::vector<std::string> const& read, std::vector<std::string> written);

/// Prints the text. Returns 0, the exit status.
int print_text(std::string const& text);

/// Throws std::system_error if standard output cannot be written.
void flush_output();

/// Returns the exit status that `run` returns. If it throws, prints one line on stderr and returns 2.
int guarded(char const* tool, std::function<int()> const& run);
/// The same, with the words of the command line.
int guarded(char const* tool, int argc, char** argv,
            std::function<int(std::vector<std::string> const& words)> const& run);

} // namespace tools
