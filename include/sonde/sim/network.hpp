// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/threads.hpp>
#include <sonde/sim/clock.hpp>

#include <compare>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace sonde::sim {

/// Parameters of the LogGP model (Alexandrov, Ionescu, Schauser, Scheiman 1995): processor overhead o of a send or a
/// receive, latency L, gap g between messages, gap per byte G.
struct log_gp {
    picoseconds overhead{};
    picoseconds latency{};
    picoseconds gap{};
    picoseconds gap_per_byte{};
};

using sonde::peer_failed;

namespace detail {

/// Messages from one rank to another with one tag arrive in order.
struct channel {
    int from, to, tag;
    auto operator<=>(channel const&) const = default;
};

struct message {
    picoseconds arrival;
    std::vector<std::byte> content;
    std::size_t header = 0; // of one-sided communication: the offset of a put, or the number of puts before a signal
};

/// Messages on their way between threads. A receiver names the sender, and messages of a channel keep their order, so
/// that the results do not depend on the scheduling of the threads (a Kahn network).
class mailboxes {
public:
    mailboxes() = default;
    mailboxes(mailboxes const&) = delete;
    mailboxes& operator=(mailboxes const&) = delete;
    virtual ~mailboxes() = default;

    void deliver(channel c, message m) {
        auto const lock = locked();
        enqueue(c, std::move(m));
    }
    /// Waits for the next message of a channel. Throws peer_failed after `abort`.
    message receive(channel c) {
        auto lock = locked();
        auto& box = boxes_[c];
        if (box.messages.empty() && !aborted_) {
            box.has_waiting_rank = true;
            on_wait();
        }
        box.changed.wait(lock, [&] { return aborted_ || !box.messages.empty(); });
        if (box.messages.empty()) throw peer_failed{};
        auto m = std::move(box.messages.front());
        box.messages.pop_front();
        return m;
    }
    void abort() {
        auto const lock = locked();
        aborted_ = true;
        for (auto& [c, box] : boxes_) box.changed.notify_all();
    }

protected:
    std::unique_lock<std::mutex> locked() { return std::unique_lock{mutex_}; }

    // These functions are called with the mutex locked.
    void enqueue(channel c, message m) {
        auto& box = boxes_[c];
        box.messages.push_back(std::move(m));
        if (std::exchange(box.has_waiting_rank, false)) on_wake();
        box.changed.notify_all();
    }
    bool is_aborted() const { return aborted_; }
    /// Called when a rank is about to wait for a message.
    virtual void on_wait() {}
    /// Called when the message for which a rank waits has arrived.
    virtual void on_wake() {}

private:
    struct mailbox {
        std::deque<message> messages;
        std::condition_variable changed; // one for each mailbox: a message wakes only the rank that waits for it
        bool has_waiting_rank = false;
    };

    std::mutex mutex_;
    std::map<channel, mailbox> boxes_;
    bool aborted_ = false;
};

} // namespace detail

} // namespace sonde::sim
