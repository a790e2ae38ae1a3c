// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/recorder/checkpoints.hpp"

#include "tools/replay/recorder/recorder.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <system_error>

namespace tools::replay {

checkpoints::checkpoints(recorder& of) : recorder_{of} {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); // which the new thread inherits
    try {
        thread_ = std::thread{[this] { run(); }};
    } catch (std::system_error const& e) {
        std::fprintf(stderr, "libsonde-trace: no files of a rank that hangs: %s\n", e.what());
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

checkpoints::~checkpoints() {
    {
        std::lock_guard const held{mutex_};
        is_ended_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void checkpoints::run() {
    auto const pause = std::max<record_clock::duration>(recorder_.period() / 2, std::chrono::milliseconds{1});
    std::unique_lock held{mutex_};
    while (!changed_.wait_for(held, pause, [&] { return is_ended_; })) {
        held.unlock(); // a file takes a while
        recorder_.checkpoint_from_outside();
        held.lock();
    }
}

} // namespace tools::replay
