// SPDX-License-Identifier: BSL-1.0
#include "log.hpp"

#include "settings.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <mutex>
#include <vector>

namespace fake {

static int open_log() {
    auto name = current_settings().log;
    if (name.empty()) return -1;
    if (auto const at = name.find("%p"); at != std::string::npos) name.replace(at, 2, std::to_string(getpid()));
    return open(name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
}

namespace {

struct lines {
    std::mutex lock;
    bool kept = false; // keeps the memory of other programs constant
    std::vector<std::string> since_reset;
    int file = open_log();
};

} // namespace

static lines& all_lines() {
    static auto& them = *new lines;
    return them;
}

bool logging() { return all_lines().kept || all_lines().file >= 0; }

void log(std::string const& line) {
    auto const hold = std::lock_guard{all_lines().lock};
    if (all_lines().kept) all_lines().since_reset.push_back(line);
    auto const ended = line + '\n'; // one write, so that lines of several processes are not interleaved
    if (all_lines().file >= 0 && write(all_lines().file, ended.data(), ended.size()) < 0) all_lines().file = -1;
}

void restart_log() {
    auto const hold = std::lock_guard{all_lines().lock};
    all_lines().kept = true;
    all_lines().since_reset.clear();
    if (all_lines().file >= 0) close(all_lines().file);
    all_lines().file = open_log();
}

std::vector<std::string> calls() {
    auto const hold = std::lock_guard{all_lines().lock};
    return all_lines().since_reset;
}

} // namespace fake
