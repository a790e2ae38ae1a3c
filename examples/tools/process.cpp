// SPDX-License-Identifier: BSL-1.0
#include "process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <system_error>

extern char** environ;

namespace tools {

namespace {

using sonde::seconds;

constexpr seconds patience{5}; // from SIGTERM to SIGKILL: a launcher has to end its ranks

/// Blocks the signals that are waited for, so that none is lost between two looks.
class awaited_signals {
public:
    awaited_signals() {
        sigemptyset(&awaited_);
        for (auto const signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP}) sigaddset(&awaited_, signal);
        sigprocmask(SIG_BLOCK, &awaited_, &before_);
    }
    awaited_signals(awaited_signals const&) = delete;
    ~awaited_signals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

    sigset_t const& before() const { return before_; }

    /// The signal that came, 0 for none within that time.
    int next(seconds within) const {
        auto const whole = std::clamp(within.count(), 0.0, 1e6);
        timespec limit{static_cast<time_t>(whole), 0};
        limit.tv_nsec = static_cast<long>((whole - static_cast<double>(limit.tv_sec)) * 1e9);
        return std::max(0, sigtimedwait(&awaited_, nullptr, &limit));
    }

private:
    sigset_t awaited_{}, before_{};
};

/// What posix_spawn is told, given back at the end.
class spawn_plan {
public:
    spawn_plan(int output, sigset_t const& mask) {
        posix_spawnattr_init(&attributes_);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
        posix_spawnattr_setpgroup(&attributes_, 0);
        posix_spawnattr_setsigmask(&attributes_, &mask);
        posix_spawn_file_actions_init(&files_);
        // In a group of its own it may not read our terminal: it would be stopped.
        posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        if (output == -1) return;
        for (auto const stream : {STDOUT_FILENO, STDERR_FILENO})
            posix_spawn_file_actions_adddup2(&files_, output, stream);
    }
    spawn_plan(spawn_plan const&) = delete;
    ~spawn_plan() {
        posix_spawn_file_actions_destroy(&files_);
        posix_spawnattr_destroy(&attributes_);
    }

    pid_t start(std::vector<std::string> words) const {
        std::vector<char*> arguments;
        for (auto& word : words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        pid_t process = 0;
        if (auto const error = posix_spawnp(&process, arguments[0], &files_, &attributes_, arguments.data(), environ))
            throw std::system_error{error, std::generic_category(), "cannot start '" + words.front() + "'"};
        return process;
    }

private:
    posix_spawnattr_t attributes_{};
    posix_spawn_file_actions_t files_{};
};

bool has_ended(pid_t process, int& status) {
    auto const found = waitpid(process, &status, WNOHANG);
    return found == process || (found == -1 && errno != EINTR);
}

/// SIGTERM to the whole group, and after some patience SIGKILL; the status of the program itself.
void end_group(pid_t group, awaited_signals const& signals, int& status) {
    kill(-group, SIGTERM);
    auto const until = sonde::steady_clock::now() + patience;
    bool ended = false;
    while (!(ended = has_ended(group, status)) && sonde::steady_clock::now() < until)
        signals.next(until - sonde::steady_clock::now());
    kill(-group, SIGKILL); // those too that outlive the program they belong to
    if (!ended) waitpid(group, &status, 0);
}

} // namespace

std::string outcome(ending const& e) {
    if (e.interrupted != 0) return "an interrupt";
    if (e.timed_out) return "a time-out";
    if (WIFSIGNALED(e.status)) return "signal " + std::to_string(WTERMSIG(e.status));
    return "exit status " + std::to_string(WEXITSTATUS(e.status));
}

ending run_program(std::vector<std::string> const& words, int output, std::optional<seconds> limit) {
    awaited_signals const signals;
    auto const begin = sonde::steady_clock::now();
    auto const elapsed = [&] { return seconds{sonde::steady_clock::now() - begin}; };
    auto const process = spawn_plan{output, signals.before()}.start(words);
    ending e;
    while (!has_ended(process, e.status)) {
        auto const signal = signals.next(limit ? *limit - elapsed() : seconds{3600});
        if (signal != 0 && signal != SIGCHLD) e.interrupted = signal;
        e.timed_out = limit && elapsed() >= *limit;
        if (e.interrupted == 0 && !e.timed_out) continue;
        end_group(process, signals, e.status);
        break;
    }
    e.wall = elapsed();
    return e;
}

} // namespace tools
