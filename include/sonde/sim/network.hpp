// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/crew.hpp>
#include <sonde/sim/manual_clock.hpp>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

namespace sonde::sim {

/// LogGP (Alexandrov, Ionescu, Schauser, Scheiman 1995): processor overhead o of a send or a receive, latency L, gap g
/// between messages, gap per byte G.
struct log_gp {
    picoseconds overhead{};
    picoseconds latency{};
    picoseconds gap{};
    picoseconds gap_per_byte{};
};

using sonde::peer_failed;

namespace detail {

struct channel {
    int from, to, tag;
    bool operator<(channel const& c) const { return std::tie(from, to, tag) < std::tie(c.from, c.to, c.tag); }
};

struct letter {
    picoseconds arrival;
    std::vector<std::byte> content;
};

/// Letters under way. A receiver names the sender and letters of a channel keep their order, so what a rank sees does
/// not depend on how the threads are scheduled (a Kahn network).
class post_office {
public:
    post_office() = default;
    post_office(post_office const&) = delete;
    post_office& operator=(post_office const&) = delete;
    virtual ~post_office() = default;

    void deliver(channel c, letter l) {
        auto const lock = locked();
        put(c, std::move(l));
    }
    letter collect(channel c) {
        auto lock = locked();
        auto& box = boxes_[c];
        if (box.letters.empty() && !failed_) {
            box.awaited = true;
            rests();
        }
        box.changed.wait(lock, [&] { return failed_ || !box.letters.empty(); });
        if (box.letters.empty()) throw peer_failed{};
        auto l = std::move(box.letters.front());
        box.letters.pop_front();
        return l;
    }
    void fail() {
        auto const lock = locked();
        failed_ = true;
        for (auto& [way, box] : boxes_) box.changed.notify_all();
    }

protected:
    std::unique_lock<std::mutex> locked() { return std::unique_lock{mutex_}; }

    // For who is locked:
    void put(channel c, letter l) {
        auto& box = boxes_[c];
        box.letters.push_back(std::move(l));
        if (std::exchange(box.awaited, false)) goes_on();
        box.changed.notify_all();
    }
    bool failed() const { return failed_; }
    /// A rank is about to wait.
    virtual void rests() {}
    /// What a rank waits for is there.
    virtual void goes_on() {}

private:
    struct letterbox {
        std::deque<letter> letters;
        std::condition_variable changed; // of each box: a letter wakes only who waits for it
        bool awaited = false;
    };

    std::mutex mutex_;
    std::map<channel, letterbox> boxes_;
    bool failed_ = false;
};

} // namespace detail

} // namespace sonde::sim
