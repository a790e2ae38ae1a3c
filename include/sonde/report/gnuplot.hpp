// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace sonde {

/// gnuplot cannot be started.
struct no_gnuplot : std::system_error {
    using std::system_error::system_error;
};

/// Text as a string of gnuplot's: in single quotes, in which only they mean something; control characters are blanks.
[[nodiscard]] inline std::string gnuplot_quoted(std::string_view text) {
    std::string quoted = "'";
    for (char const c : text) {
        if (c == '\'') quoted += "''";
        else quoted += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
    }
    return quoted + '\'';
}

namespace detail {

/// What a process that is started finds in place of its parent's files.
class spawn_files {
public:
    spawn_files() { posix_spawn_file_actions_init(&actions_); }
    spawn_files(spawn_files const&) = delete;
    spawn_files& operator=(spawn_files const&) = delete;
    ~spawn_files() { posix_spawn_file_actions_destroy(&actions_); }
    void put(std::FILE* file, int as) { posix_spawn_file_actions_adddup2(&actions_, fileno(file), as); }
    posix_spawn_file_actions_t const* get() const { return &actions_; }

private:
    posix_spawn_file_actions_t actions_;
};

struct close_file {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

/// A file without a name that holds a text, to be read from its start.
inline std::unique_ptr<std::FILE, close_file> nameless(std::string_view text) {
    std::unique_ptr<std::FILE, close_file> file{std::tmpfile()};
    if (!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() || std::fflush(file.get()) != 0)
        throw std::system_error{errno, std::generic_category(), "no scratch file for gnuplot"};
    std::rewind(file.get());
    return file;
}

inline pid_t start(char const* program, spawn_files const& files) {
    std::string name = program, defaults = "-d"; // without the user's .gnuplot
    std::string script = "/dev/stdin";           // by name: what it is not given so, it reads byte by byte
    char* const words[] = {name.data(), defaults.data(), script.data(), nullptr};
    pid_t process = 0;
    if (auto const error = posix_spawnp(&process, program, files.get(), nullptr, words, environ); error != 0)
        throw no_gnuplot{error, std::generic_category(),
                         "plots are drawn by gnuplot, and '" + name + "' cannot be started"};
    return process;
}

/// The exit status; 0 also where the application does not let its children be waited for.
inline int wait_for(pid_t process) {
    int status = 0;
    while (waitpid(process, &status, 0) == -1)
        if (errno != EINTR) return 0;
    return status;
}

} // namespace detail

/// Let gnuplot do what the script says, and wait for it: nothing draws while the next point is measured.
///
/// The script goes through a nameless file, not a pipe, so no SIGPIPE can end the application. What gnuplot prints goes
/// to `text`, which needs a file descriptor. Throws no_gnuplot where it is not there,
/// std::runtime_error where it fails; what it says to that is on stderr.
inline void run_gnuplot(std::string_view script, std::FILE* text = stdout, char const* program = "gnuplot") {
    auto const input = detail::nameless(script);
    std::fflush(text);
    detail::spawn_files files;
    files.put(input.get(), STDIN_FILENO);
    files.put(text, STDOUT_FILENO);
    if (detail::wait_for(detail::start(program, files)) != 0) throw std::runtime_error{"gnuplot failed"};
}

} // namespace sonde
