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

static lines& all() {
    static auto& them = *new lines;
    return them;
}

bool logging() { return all().kept || all().file >= 0; }

void log(std::string const& line) {
    auto const hold = std::lock_guard{all().lock};
    if (all().kept) all().since_reset.push_back(line);
    auto const ended = line + '\n'; // one write, so that lines of several processes are not interleaved
    if (all().file >= 0 && write(all().file, ended.data(), ended.size()) < 0) all().file = -1;
}

void restart_log() {
    auto const hold = std::lock_guard{all().lock};
    all().kept = true;
    all().since_reset.clear();
    if (all().file >= 0) close(all().file);
    all().file = open_log();
}

std::vector<std::string> calls() {
    auto const hold = std::lock_guard{all().lock};
    return all().since_reset;
}

} // namespace fake
