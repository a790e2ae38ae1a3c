// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/simulated.hpp"

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#ifdef __linux__
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace tools::replay {

/// Makes all threads of the process pass a memory barrier. False if the system cannot.
inline bool fence_all_threads([[maybe_unused]] bool is_first = false) {
#ifdef __linux__
    constexpr int first = MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, later = MEMBARRIER_CMD_PRIVATE_EXPEDITED;
    return syscall(SYS_membarrier, is_first ? first : later, 0, 0) == 0;
#else
    return false;
#endif
}

/// Held by a call of MPI while it changes tables and events. If the application calls MPI from one thread at a time,
/// that costs two stores, since a thread that comes from outside makes the barrier for both: a call must not pay for
/// checkpoints, which are rare.
class recording_lock {
public:
    using duration = record_clock::duration;

    /// `has_several_threads`: threads call MPI at the same time.
    explicit recording_lock(bool has_several_threads)
        : uses_mutex_{has_several_threads || is_simulated || !fence_all_threads(true)} {}

    /// For a call of MPI. Returns the time for which it waited.
    duration enter() {
        if (uses_mutex_) return mutex_.try_lock() ? duration{} : timed([&] { mutex_.lock(); });
        hold();
        return is_wanted_.load(std::memory_order_acquire) ? timed([&] { wait(); }) : duration{};
    }
    void leave() {
        if (uses_mutex_) mutex_.unlock();
        else is_held_.store(false, std::memory_order_release);
    }

    /// For a thread that is in no call: false if it is still held after a second, as by a call of this very thread that
    /// a signal interrupted.
    bool enter_from_outside() {
        auto const end = std::chrono::steady_clock::now() + std::chrono::seconds{1};
        if (!mutex_.try_lock_until(end)) return false;
        if (uses_mutex_) return true;
        is_wanted_.store(true);
        fence_all_threads();
        while (is_held_.load(std::memory_order_acquire)) {
            if (std::chrono::steady_clock::now() > end) {
                leave_from_outside();
                return false;
            }
            pause();
        }
        return true;
    }
    void leave_from_outside() {
        is_wanted_.store(false, std::memory_order_release);
        mutex_.unlock();
    }

private:
    static void pause() { std::this_thread::sleep_for(std::chrono::microseconds{50}); }
    static duration timed(auto f) {
        auto const begin = record_clock::now();
        f();
        return record_clock::now() - begin;
    }
    void hold() {
        is_held_.store(true, std::memory_order_relaxed);
        std::atomic_signal_fence(std::memory_order_seq_cst); // the other side's barrier orders the processor
    }
    void wait() {
        while (is_wanted_.load(std::memory_order_acquire)) {
            is_held_.store(false, std::memory_order_release);
            while (is_wanted_.load(std::memory_order_relaxed)) pause();
            hold();
        }
    }

    bool uses_mutex_;
    std::timed_mutex mutex_;
    std::atomic<bool> is_held_{false}, is_wanted_{false};
};

} // namespace tools::replay
