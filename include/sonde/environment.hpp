// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#ifdef __linux__
#include <sched.h>
#endif
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string>
#include <vector>

namespace sonde {

/// Where and with what records were made: once a file, before them. An allow-list, filled by name: never the
/// environment variables, which hold secrets.
struct environment {
    std::string sonde_version = SONDE_VERSION;
    std::string compiler;
    std::string build; // "optimized" or "not optimized", and whether assertions are on
    std::string command_line;
    std::string communication_library; // e.g. what MPI_Get_library_version says; empty for none
    std::vector<std::string> hosts;    // each once, in the order of its first rank
    std::vector<int> ranks_per_host;   // for hosts
    std::vector<int> host_of_rank;     // for every rank, its place in hosts
    std::vector<std::string> bindings; // for every rank, the processors it may run on, as a list: "0-3,8"
    std::vector<std::string> devices;  // for every rank, the one it uses, in words; empty where none is used
};

namespace detail {

inline std::string compiler_name() {
#if defined(__clang__)
    return "clang " + std::to_string(__clang_major__) + '.' + std::to_string(__clang_minor__) + '.' +
           std::to_string(__clang_patchlevel__);
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

inline std::string host_name() {
    char text[256] = "unknown";
    gethostname(text, sizeof text - 1);
    return text;
}

/// "0-3,8" for processors 0, 1, 2, 3 and 8.
inline std::string as_list(std::vector<bool> const& set) {
    std::string list;
    for (std::size_t i = 0; i != set.size(); ++i) {
        if (!set[i]) continue;
        auto last = i;
        while (last + 1 != set.size() && set[last + 1]) ++last;
        if (!list.empty()) list += ',';
        list += std::to_string(i);
        if (last != i) list.append("-").append(std::to_string(last));
        i = last;
    }
    return list;
}

/// The processors this process may run on; "unknown" where the system does not say.
inline std::string binding() {
#ifdef __linux__
    // A set has room for 1,024 processors. Linux refuses (EINVAL) less room than the machine might have processors.
    for (std::size_t sets = 1; sets <= 1024; sets *= 2) {
        std::vector<cpu_set_t> room(sets);
        auto const bytes = sets * sizeof(cpu_set_t);
        if (sched_getaffinity(0, bytes, room.data()) == 0) {
            std::vector<bool> allowed(sets * CPU_SETSIZE);
            for (std::size_t i = 0; i != allowed.size(); ++i) allowed[i] = CPU_ISSET_S(i, bytes, room.data());
            return as_list(allowed);
        }
        if (errno != EINVAL) break;
    }
#endif
    return "unknown";
}

/// As a shell would read it back: in single quotes unless every character means only itself.
inline std::string shell_word(std::string const& word) {
    constexpr char const* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    std::string quoted = "'";
    for (char const c : word) quoted += c == '\'' ? std::string{"'\\''"} : std::string{c};
    return quoted + '\'';
}

} // namespace detail

/// The words of a command, joined by blanks, so that a shell reads the same words back.
[[nodiscard]] inline std::string command_line(int argc, char const* const* argv) {
    std::string line;
    for (int i = 0; i != argc; ++i) line.append(i == 0 ? "" : " ").append(detail::shell_word(argv[i]));
    return line;
}

/// What is known without a communication library: one rank on this host.
[[nodiscard]] inline environment local_environment(int argc = 0, char const* const* argv = nullptr) {
    environment e;
    e.compiler = detail::compiler_name();
    e.build = detail::build_kind();
    e.command_line = command_line(argc, argv);
    e.hosts = {detail::host_name()};
    e.ranks_per_host = {1};
    e.host_of_rank = {0};
    e.bindings = {detail::binding()};
    return e;
}

} // namespace sonde
