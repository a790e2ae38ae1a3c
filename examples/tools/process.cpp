// SPDX-License-Identifier: BSL-1.0
#include "tools/process.hpp"

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

constexpr seconds grace_period{5}; // from SIGTERM to SIGKILL: a launcher has to end its ranks

/// Signals that are blocked and waited for, so that no signal is lost between two calls of `next`.
class blocked_signals {
public:
    blocked_signals() {
        sigemptyset(&signals_);
        for (auto const signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals_, signal);
        sigprocmask(SIG_BLOCK, &signals_, &before_);
    }
    blocked_signals(blocked_signals const&) = delete;
    ~blocked_signals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

    sigset_t const& before() const { return before_; }

    /// Wait for the next signal; 0 if none comes within `limit`.
    int next(seconds limit) const {
        auto const whole = std::clamp(limit.count(), 0.0, 1e6);
        timespec wait{static_cast<time_t>(whole), 0};
        wait.tv_nsec = static_cast<long>((whole - static_cast<double>(wait.tv_sec)) * 1e9);
        return std::max(0, sigtimedwait(&signals_, nullptr, &wait));
    }

private:
    sigset_t signals_{}, before_{};
};

/// Attributes and file actions of posix_spawn.
class spawn_settings {
public:
    spawn_settings(int output, sigset_t const& mask) {
        posix_spawnattr_init(&attributes_);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
        posix_spawnattr_setpgroup(&attributes_, 0);
        posix_spawnattr_setsigmask(&attributes_, &mask);
        posix_spawn_file_actions_init(&files_);
        // A process group in the background that reads the terminal is stopped.
        posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        if (output == -1) return;
        for (auto const stream : {STDOUT_FILENO, STDERR_FILENO})
            posix_spawn_file_actions_adddup2(&files_, output, stream);
    }
    spawn_settings(spawn_settings const&) = delete;
    ~spawn_settings() {
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
    auto const ended = waitpid(process, &status, WNOHANG);
    return ended == process || (ended == -1 && errno != EINTR);
}

/// Send SIGTERM to the process group, and SIGKILL after the grace period. Stores the status of the program itself.
void end_group(pid_t group, blocked_signals const& signals, int& status) {
    kill(-group, SIGTERM);
    auto const until = sonde::steady_clock::now() + grace_period;
    bool ended = false;
    while (!(ended = has_ended(group, status)) && sonde::steady_clock::now() < until)
        signals.next(until - sonde::steady_clock::now());
    kill(-group, SIGKILL); // also ends processes that outlive the program
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
    blocked_signals const signals;
    auto const begin = sonde::steady_clock::now();
    auto const elapsed = [&] { return seconds{sonde::steady_clock::now() - begin}; };
    auto const process = spawn_settings{output, signals.before()}.start(words);
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

captured_output::captured_output() : file_{std::tmpfile(), [](std::FILE* f) { return std::fclose(f); }} {
    if (!file_) throw std::system_error{errno, std::generic_category(), "cannot make a temporary file"};
}

int captured_output::descriptor() const { return fileno(file_.get()); }

std::string captured_output::end() const {
    std::string text(4096, '\0');
    std::fseek(file_.get(), 0, SEEK_END);
    auto const length = std::ftell(file_.get());
    std::fseek(file_.get(), length > 4096 ? length - 4096 : 0, SEEK_SET);
    text.resize(std::fread(text.data(), 1, text.size(), file_.get()));
    return text;
}

} // namespace tools
