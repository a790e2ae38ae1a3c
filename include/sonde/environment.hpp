// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <string>
#include <vector>

namespace sonde {

/// Where and with what records were made: once a file, before them. An allow-list, filled by name: never the
/// environment variables, which hold secrets.
struct environment {
    std::string sonde_version = SONDE_VERSION;
    std::string compiler;
    std::string build;                  // "optimized" or "not optimized", and whether assertions are on
    std::string command_line;
    std::string communication_library;  // e.g. what MPI_Get_library_version says; empty for none
    std::vector<std::string> hosts;     // each once, in the order of its first rank
    std::vector<int> ranks_per_host;    // for hosts
    std::vector<std::string> bindings;  // for every rank, the processors it may run on, as a list: "0-3,8"
};

namespace detail {

inline std::string compiler_name() {
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "g++ " __VERSION__;
#else
    return "unknown";
#endif
}

inline std::string build_kind() {
    std::string kind;
#ifdef __OPTIMIZE__
    kind = "optimized";
#else
    kind = "not optimized";
#endif
#ifdef NDEBUG
    return kind + ", assertions off";
#else
    return kind + ", assertions on";
#endif
}

} // namespace detail

/// The words of a command, joined by blanks; a word with blanks or quotes in it stands in single quotes.
inline std::string command_line(int argc, char const* const* argv) {
    std::string line;
    for (int i = 0; i != argc; ++i) {
        std::string const word = argv[i];
        if (i != 0) line += ' ';
        if (!word.empty() && word.find_first_of(" \t\n'\"\\$&|;<>()*?") == std::string::npos) {
            line += word;
            continue;
        }
        line += '\'';
        for (char const c : word) line += c == '\'' ? std::string{"'\\''"} : std::string{c};
        line += '\'';
    }
    return line;
}

/// What is known without a communication library.
inline environment local_environment(int argc = 0, char const* const* argv = nullptr) {
    environment e;
    e.compiler = detail::compiler_name();
    e.build = detail::build_kind();
    e.command_line = command_line(argc, argv);
    return e;
}

} // namespace sonde
