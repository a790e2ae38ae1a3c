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
    void deliver(channel c, letter l) {
        std::lock_guard const lock{mutex_};
        auto& box = boxes_[c];
        box.letters.push_back(std::move(l));
        box.changed.notify_all();
    }
    letter collect(channel c) {
        std::unique_lock lock{mutex_};
        auto& box = boxes_[c];
        box.changed.wait(lock, [&] { return failed_ || !box.letters.empty(); });
        if (box.letters.empty()) throw peer_failed{};
        auto l = std::move(box.letters.front());
        box.letters.pop_front();
        return l;
    }
    void fail() {
        std::lock_guard const lock{mutex_};
        failed_ = true;
        for (auto& [way, box] : boxes_) box.changed.notify_all();
    }

private:
    struct letterbox {
        std::deque<letter> letters;
        std::condition_variable changed; // of each box: a letter wakes only who waits for it
    };

    std::mutex mutex_;
    std::map<channel, letterbox> boxes_;
    bool failed_ = false;
};

} // namespace detail

} // namespace sonde::sim
