// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/sim/lane.hpp>
#include <sonde/sim/network.hpp>
#include <sonde/sim/nodes.hpp>
#include <sonde/sim/round_robin.hpp>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sonde::sim {

/// Every rank waits for another, and nothing is under way.
struct deadlock : std::logic_error {
    deadlock() : std::logic_error{"sonde::sim: all ranks wait, and no message is under way"} {}
};

namespace detail {

/// The post office of ranks on nodes.
///
/// When a chunk flows depends on what other ranks send. Chunks flow only while all ranks wait or have ended: the next
/// is then known, since whatever a rank sends later it sends at a later virtual time.
///
/// A chunk reaches the other node as it leaves the first, unless that node's incoming lane is busy: it then waits
/// between them, in the order in which chunks left (at the same time: of their nodes).
class interconnect : public post_office {
public:
    explicit interconnect(nodes const& n)
        : nodes_{n}, ends_(static_cast<std::size_t>(n.count())), running_{n.of_rank.size()} {}

    bool apart(int a, int b) const { return node_of(a) != node_of(b); }
    void carry(channel way, picoseconds sent, std::vector<std::byte> content) {
        auto const lock = locked();
        auto const bytes = content.size();
        end_of(way.from).waiting.add({way, sent + nodes_.link.latency, bytes, std::move(content)});
    }
    /// A rank is about to meet all others.
    void meet() {
        auto const lock = locked();
        if (++met_ != nodes_.of_rank.size()) return rests();
        met_ = 0;
        running_ += nodes_.of_rank.size() - 1; // from now on, although their threads may still sleep
    }
    /// A rank has nothing more to do.
    void end() {
        auto const lock = locked();
        ++ended_;
        rests();
    }
    /// Of each node.
    std::vector<link_use> use() const {
        std::vector<link_use> all;
        for (auto const& end : ends_) all.push_back({end.out.busy(), end.in.busy(), both_busy(end.out, end.in)});
        return all;
    }

private:
    struct link_end {
        round_robin waiting{};
        lane out{};
        lane in{};

        picoseconds next() const { return std::max(out.free(), waiting.ready()); }
    };

    int node_of(int rank) const { return nodes_.of_rank.at(static_cast<std::size_t>(rank)); }
    link_end& end_of(int rank) { return ends_[static_cast<std::size_t>(node_of(rank))]; }

    void goes_on() override { ++running_; }
    void rests() override {
        if (failed()) return; // who failed runs for ever
        if (stuck_) throw deadlock{};
        --running_;
        for (auto more = true; more && running_ == 0;) more = next_chunk();
        stuck_ = running_ == 0 && ended_ != nodes_.of_rank.size();
        if (stuck_) throw deadlock{};
    }
    /// Whether there was one. When a letter arrives is known as its last chunk begins to flow: it is delivered then.
    bool next_chunk() {
        auto const earlier = [](link_end const& a, link_end const& b) { return a.next() < b.next(); };
        auto const from = std::min_element(ends_.begin(), ends_.end(), earlier);
        if (from == ends_.end() || from->next() == picoseconds::max()) return false;
        auto const begin = from->next();
        auto const& message = from->waiting.front();
        auto const bytes = std::min(message.left, nodes_.link.chunk);
        auto const lasts = nodes_.link.transfer_time(bytes);
        auto const arrival = end_of(message.way.to).in.occupy(begin, lasts);
        auto whole = from->waiting.take(bytes, from->out.occupy(begin, lasts));
        if (whole) put(whole->way, {arrival, std::move(whole->content)});
        return true;
    }

    nodes nodes_;
    std::vector<link_end> ends_; // of each node
    std::size_t running_;        // ranks that neither wait nor have ended
    std::size_t met_ = 0;
    std::size_t ended_ = 0;
    bool stuck_ = false;
};

} // namespace detail

} // namespace sonde::sim
