// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

namespace tools::map {

/// Calls `expire(peer)`, from a separate thread, if a pair is not done within a limit, because a rank that waits in MPI
/// for a message that does not arrive cannot check the time itself.
class pair_watch {
public:
    pair_watch(sonde::seconds limit, std::function<void(int)> expire)
        : limit_{std::chrono::duration_cast<clock::duration>(limit)}, expire_{std::move(expire)},
          thread_{[this](std::stop_token stop) { watch(std::move(stop)); }} {}

    /// A pair that is being measured; its time ends when the object is destroyed.
    class guard {
    public:
        guard(pair_watch& watch, int peer) : watch_{&watch} { watch.set(std::pair{peer, clock::now() + watch.limit_}); }
        guard(guard&& other) noexcept : watch_{std::exchange(other.watch_, nullptr)} {}
        guard& operator=(guard&&) = delete;
        ~guard() {
            if (watch_ != nullptr) watch_->set(std::nullopt);
        }

    private:
        pair_watch* watch_;
    };

private:
    using clock = std::chrono::steady_clock;
    using deadline = std::optional<std::pair<int, clock::time_point>>; // peer and time

    void set(deadline d) {
        {
            std::lock_guard const lock{mutex_};
            deadline_ = d;
        }
        changed_.notify_one();
    }
    void watch(std::stop_token stop) {
        std::unique_lock lock{mutex_};
        while (!stop.stop_requested()) {
            if (!deadline_) {
                changed_.wait(lock, stop, [&] { return deadline_.has_value(); });
                continue;
            }
            auto const [peer, end] = *deadline_;
            auto const is_other = [&, until = end] { return !deadline_ || deadline_->second != until; };
            if (!changed_.wait_until(lock, stop, end, is_other) && !stop.stop_requested()) {
                deadline_.reset();
                expire_(peer);
            }
        }
    }

    clock::duration limit_;
    std::function<void(int)> expire_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    deadline deadline_;
    std::jthread thread_;
};

/// Pattern that is watched for as long as it exists.
template <class P>
class watched : public P {
public:
    watched(P pattern, pair_watch& watch, int peer) : P{std::move(pattern)}, guard_{watch, peer} {}

private:
    pair_watch::guard guard_;
};

} // namespace tools::map
