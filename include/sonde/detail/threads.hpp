// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/error.hpp>
#include <sonde/group.hpp>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <span>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

/// Thrown in a thread that waits for another thread of the process which has ended with an exception.
struct peer_failed : std::runtime_error {
    peer_failed() : std::runtime_error{"sonde: another thread failed"} {}
};

namespace detail {

/// Calls f(0) on this thread and f(1) .. f(n - 1) on one thread each, and joins them. If a thread throws or cannot be
/// started, calls `abort()`, which must wake the other threads from waiting. Rethrows the first exception that does not
/// follow from an exception on another rank or thread, or the first of all.
void run_on_threads(std::size_t n, auto f, auto abort) {
    std::mutex mutex;
    std::exception_ptr first, cause;
    auto const keep = [&](std::exception_ptr& thrown) {
        std::lock_guard const lock{mutex};
        if (!thrown) thrown = std::current_exception();
    };
    auto const attempt = [&](auto step) {
        try {
            step();
            return;
        } catch (other_rank_error const&) {
            keep(first);
        } catch (peer_failed const&) {
            keep(first);
        } catch (...) {
            keep(cause);
        }
        abort();
    };
    std::vector<std::thread> others;
    attempt([&] {
        for (std::size_t i = 1; i < n; ++i) others.emplace_back([&, i] { attempt([&] { f(i); }); });
        if (n != 0) f(0);
    });
    for (auto& t : others) t.join();
    if (cause) std::rethrow_exception(cause);
    if (first) std::rethrow_exception(first);
}

/// Reusable barrier of threads. Each thread brings values, the last thread to arrive computes a result of those of all
/// threads, and all threads return the result.
class combining_barrier {
    using values = std::vector<double>;

public:
    explicit combining_barrier(std::size_t threads) : all_(threads) {}

    /// `completion(std::vector<values> const&) -> values` is called once a phase, by the last thread to arrive, with
    /// the values in the order of threads; it may communicate, because no other thread runs meanwhile. Throws
    /// peer_failed after `abort`, and on the last thread to arrive the exceptions of `completion`.
    values arrive_and_wait(std::size_t thread, values mine, auto completion) {
        std::unique_lock lock{mutex_};
        if (aborted_) throw peer_failed{};
        all_[thread] = std::move(mine);
        if (++arrived_ == all_.size()) {
            result_ = completion(std::as_const(all_));
            arrived_ = 0;
            ++phase_; // the next phase needs all threads, so it ends only after all threads have this result
            changed_.notify_all();
        } else {
            auto const phase = phase_;
            changed_.wait(lock, [&] { return aborted_ || phase_ != phase; });
            if (phase_ == phase) throw peer_failed{};
        }
        return result_;
    }
    void abort() {
        std::lock_guard const lock{mutex_};
        aborted_ = true;
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<values> all_;
    values result_;
    std::size_t arrived_ = 0;
    std::size_t phase_ = 0;
    bool aborted_ = false;
};

/// Messages between threads. Messages from one thread to another thread keep their order.
class mailboxes {
public:
    void send(int from, int to, std::span<std::byte const> message) {
        std::lock_guard const lock{mutex_};
        boxes_[{from, to}].emplace_back(message.begin(), message.end());
        changed_.notify_all();
    }
    /// The next message, of this length. Throws peer_failed after `abort`.
    void receive(int from, int to, std::span<std::byte> message) {
        std::unique_lock lock{mutex_};
        auto& box = boxes_[{from, to}];
        changed_.wait(lock, [&] { return aborted_ || !box.empty(); });
        if (box.empty()) throw peer_failed{};
        for (std::size_t i = 0; i != message.size(); ++i) message[i] = box.front()[i];
        box.pop_front();
    }
    void abort() {
        std::lock_guard const lock{mutex_};
        aborted_ = true;
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::pair<int, int>, std::deque<std::vector<std::byte>>> boxes_;
    bool aborted_ = false;
};

/// into[i] = reduction of into[i] and from[i]. Throws std::logic_error for different lengths.
inline void reduce_into(std::vector<double>& into, std::vector<double> const& from, reduction how) {
    if (into.size() != from.size()) throw std::logic_error{"sonde: members of a group are in different collectives"};
    for (std::size_t i = 0; i != into.size(); ++i) {
        if (how == reduction::sum) into[i] += from[i];
        else if ((how == reduction::min) == (from[i] < into[i])) into[i] = from[i];
    }
}

} // namespace detail

} // namespace sonde
