// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/threads.hpp>
#include <sonde/model.hpp>
#include <sonde/sim/clock.hpp>

#include <algorithm>
#include <cmath>
#include <compare>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

namespace sonde::inline v0_1::sim {

/// The full-duplex link between a node and all others. The ranks of the node share it: their messages alternate, chunk
/// by chunk.
struct shared_link {
    std::size_t chunk{};   // C: bytes of a message that are sent before another rank's turn
    model::rate rate{};    // B_r, in each direction
    picoseconds latency{}; // T_l: from the send of a message until its data may flow

    /// Rounded to a whole picosecond.
    picoseconds transfer_time(std::size_t bytes) const {
        return picoseconds{std::llround(static_cast<double>(bytes) / rate.count() * 1e12)};
    }
};

/// The node of each rank, counted from 0, and the link of each node.
struct cluster {
    std::vector<int> node_of_rank; // of each rank, from 0
    shared_link link;              // of each node

    /// Number of nodes: the largest node of a rank, and one.
    int node_count() const {
        auto const highest = std::max_element(node_of_rank.begin(), node_of_rank.end());
        return highest == node_of_rank.end() ? 0 : *highest + 1;
    }
    /// Throws std::invalid_argument for a link over which no data could flow, and for a negative node.
    void validate() const {
        if (link.chunk == 0) throw std::invalid_argument{"sonde::sim: a chunk must have at least one byte"};
        if (!(link.rate.count() > 0)) throw std::invalid_argument{"sonde::sim: the rate of a link must be positive"};
        if (link.latency < picoseconds{})
            throw std::invalid_argument{"sonde::sim: the latency of a link must not be negative"};
        for (auto const node : node_of_rank)
            if (node < 0) throw std::invalid_argument{"sonde::sim: nodes are counted from 0"};
    }
};

/// A cluster with consecutive ranks on each node: the first `ranks_per_node` ranks on node 0, the next on node 1.
[[nodiscard]] inline cluster block_distribution(int nodes, int ranks_per_node, shared_link link) {
    cluster made{{}, link};
    for (int rank = 0; rank != nodes * ranks_per_node; ++rank) made.node_of_rank.push_back(rank / ranks_per_node);
    return made;
}

/// How long data flowed between a node and the others: out of it, into it, and both at the same time.
struct link_busy_time {
    picoseconds out{};  // out of the node
    picoseconds in{};   // into the node
    picoseconds both{}; // at the same time
};

/// Every rank waits for another rank, and no message is on its way.
struct deadlock : std::logic_error {
    deadlock() : std::logic_error{"sonde::sim: all ranks wait, and no message is on its way"} {}
};

/// Parameters of the LogGP model (Alexandrov, Ionescu, Schauser, Scheiman 1995): processor overhead o of a send or a
/// receive, latency L, gap g between messages, gap per byte G.
struct network_parameters {
    picoseconds overhead{};     // o
    picoseconds latency{};      // L
    picoseconds gap{};          // g
    picoseconds gap_per_byte{}; // G
};

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

/// Tags of messages that do not belong to a link: links have no negative tags.
enum reserved_tag : int { put_tag = -1, signal_tag = -2, collective_tag = -3, exchange_tag = -4 };

/// One direction of a link, first come, first served.
class link_direction {
public:
    picoseconds free_at() const { return busy_.back().end; }
    /// Occupies the direction for `duration`, from `from` on or as soon as it is free. Returns the end.
    picoseconds occupy(picoseconds from, picoseconds duration) {
        auto const begin = std::max(from, free_at());
        if (begin != free_at()) busy_.push_back({begin, begin});
        busy_.back().end += duration;
        return free_at();
    }
    friend picoseconds common_busy_time(link_direction const& a, link_direction const& b) {
        picoseconds sum{};
        for (std::size_t i = 0, j = 0; i != a.busy_.size() && j != b.busy_.size();) {
            auto const &p = a.busy_[i], &q = b.busy_[j];
            sum += std::max(picoseconds{}, std::min(p.end, q.end) - std::max(p.begin, q.begin));
            ++(p.end < q.end ? i : j);
        }
        return sum;
    }

private:
    struct interval {
        picoseconds begin{};
        picoseconds end{};
    };

    std::vector<interval> busy_{interval{}}; // in order of time, with gaps between them
};

/// The messages of a rank to other nodes, first in, first out.
struct outgoing_queue {
    struct outgoing_message {
        channel route;
        picoseconds ready;     // from when its data may flow
        std::size_t remaining; // bytes that have not left yet
        std::vector<std::byte> content;
    };

    std::size_t node;
    std::deque<outgoing_message> messages{};
    picoseconds last_chunk_end{};

    /// The time from which the first message has waited to send its next chunk; picoseconds::max() without a message.
    picoseconds waiting_since() const {
        return messages.empty() ? picoseconds::max() : std::max(messages.front().ready, last_chunk_end);
    }
};

/// Messages between the ranks on the nodes of a cluster. Each rank is a thread.
///
/// A receiver names the sender, and messages of a channel keep their order, so that the results do not depend on the
/// scheduling of the threads (a Kahn network).
///
/// The time at which a chunk flows depends on the messages of other ranks. Chunks flow only while all ranks wait or
/// have ended. The next chunk is then known, because every later send of a rank has a later virtual time.
///
/// The ranks of a node have equal shares of its outgoing direction. The next chunk belongs to the message that has
/// waited longest, since it was ready or since the last chunk of its rank. Among messages that have waited equally
/// long, a message that has waited since it was ready goes first, and then the message of the lowest rank.
///
/// A chunk arrives at the other node when it leaves the first node, unless the incoming direction of the other node is
/// busy. Then it waits between the nodes, in the order in which chunks left; chunks that left at the same time go in
/// the order of their nodes.
class interconnect {
public:
    explicit interconnect(cluster const& c)
        : link_{c.link}, ports_(static_cast<std::size_t>(c.node_count())), running_{c.node_of_rank.size()} {
        for (auto const node : c.node_of_rank) queues_.push_back({static_cast<std::size_t>(node)});
    }

    int ranks() const { return static_cast<int>(queues_.size()); }
    int nodes() const { return static_cast<int>(ports_.size()); }
    bool is_internode(int a, int b) const { return node_of(a) != node_of(b); }
    void deliver(channel c, message m) {
        std::lock_guard const lock{mutex_};
        enqueue(c, std::move(m));
    }
    /// Waits for the next message of a channel. Throws peer_failed after `abort`.
    message receive(channel c) {
        std::unique_lock lock{mutex_};
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
    /// Sends a message to another node.
    void send(channel route, picoseconds at, std::vector<std::byte> content) {
        std::lock_guard const lock{mutex_};
        auto const bytes = content.size();
        auto& queue = queues_[static_cast<std::size_t>(route.from)];
        queue.messages.push_back({route, at + link_.latency, bytes, std::move(content)});
    }
    /// A rank has failed. The other ranks stop waiting.
    void abort() {
        std::lock_guard const lock{mutex_};
        aborted_ = true;
        for (auto& [c, box] : boxes_) box.changed.notify_all();
    }
    /// A rank has ended.
    void end_rank() {
        std::lock_guard const lock{mutex_};
        ++ended_;
        on_wait();
    }
    /// The busy times of each node's link.
    std::vector<link_busy_time> busy_times() const {
        std::vector<link_busy_time> all;
        for (auto const& [out, in] : ports_)
            all.push_back({common_busy_time(out, out), common_busy_time(in, in), common_busy_time(out, in)});
        return all;
    }

private:
    struct mailbox {
        std::deque<message> messages;
        std::condition_variable changed; // one for each mailbox: a message wakes only the rank that waits for it
        bool has_waiting_rank = false;
    };
    struct port {
        link_direction out{};
        link_direction in{};
    };

    std::size_t node_of(int rank) const { return queues_.at(static_cast<std::size_t>(rank)).node; }

    // The functions below are called with the mutex locked.
    void enqueue(channel c, message m) {
        auto& box = boxes_[c];
        box.messages.push_back(std::move(m));
        if (std::exchange(box.has_waiting_rank, false)) ++running_;
        box.changed.notify_all();
    }
    /// A rank is about to wait, or has ended.
    void on_wait() {
        if (aborted_) return; // a rank that failed counts as running forever
        if (deadlocked_) throw deadlock{};
        --running_;
        while (running_ == 0 && send_chunk()) {
        }
        deadlocked_ = running_ == 0 && ended_ != queues_.size();
        if (deadlocked_) throw deadlock{};
    }
    picoseconds next_chunk(outgoing_queue const& q) {
        return std::max(ports_[q.node].out.free_at(), q.waiting_since());
    }
    /// Sends the next chunk; false if there is none. The arrival of a message is known when its last chunk begins to
    /// flow, so the message is delivered then.
    bool send_chunk() {
        auto const order = [this](outgoing_queue const& q) {
            return std::tuple{next_chunk(q), q.node, q.waiting_since(), q.waiting_since() == q.last_chunk_end};
        };
        auto const from = std::min_element(queues_.begin(), queues_.end(),
                                           [&](auto const& a, auto const& b) { return order(a) < order(b); });
        if (from == queues_.end() || from->messages.empty()) return false;
        auto& message = from->messages.front();
        auto const begin = next_chunk(*from);
        auto const bytes = std::min(message.remaining, link_.chunk);
        auto const duration = link_.transfer_time(bytes);
        auto const arrival = ports_[node_of(message.route.to)].in.occupy(begin, duration);
        from->last_chunk_end = ports_[from->node].out.occupy(begin, duration);
        message.remaining -= bytes;
        if (message.remaining == 0) {
            enqueue(message.route, {arrival, std::move(message.content)});
            from->messages.pop_front();
        }
        return true;
    }

    std::mutex mutex_;
    std::map<channel, mailbox> boxes_;
    bool aborted_ = false;
    shared_link link_;
    std::vector<outgoing_queue> queues_; // one for each rank
    std::vector<port> ports_;            // one for each node
    std::size_t running_;                // ranks that neither wait nor have ended
    std::size_t ended_ = 0;
    bool deadlocked_ = false;
};

} // namespace detail

} // namespace sonde::sim
