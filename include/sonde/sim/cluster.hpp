// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/units.hpp>
#include <sonde/sim/clock.hpp>
#include <sonde/sim/network.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sonde::sim {

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
    std::vector<int> node_of_rank;
    shared_link link;

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
    picoseconds out{};
    picoseconds in{};
    picoseconds both{};
};

/// Every rank waits for another one, and no message is on its way.
struct deadlock : std::logic_error {
    deadlock() : std::logic_error{"sonde::sim: all ranks wait, and no message is on its way"} {}
};

namespace detail {

/// One direction of a link, first come, first served.
class link_direction {
public:
    picoseconds free_at() const { return busy_.back().end; }
    /// Occupies the direction from `from` on, or from when it is free; returns the end.
    picoseconds occupy(picoseconds from, picoseconds duration) {
        auto const begin = std::max(from, free_at());
        if (begin != free_at()) busy_.push_back({begin, begin});
        busy_.back().end += duration;
        return free_at();
    }
    picoseconds busy_time() const { return common_busy_time(*this, *this); }
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

/// A message on its way out of a node.
struct outgoing_message {
    channel route;
    picoseconds ready;     // from when its data may flow
    std::size_t remaining; // bytes that have not left yet
    std::vector<std::byte> content;
};

/// The messages that wait for the outgoing direction of a link: first in, first out for each rank, and fair between
/// ranks. The next chunk is that of the message that has waited longest, since it was ready or since its last chunk. At
/// equal times a rank without a chunk at that time precedes, and then the lowest rank.
class fair_queue {
public:
    void add(outgoing_message m) { queues_[m.route.from].messages.push_back(std::move(m)); }
    /// When the next chunk may flow; picoseconds::max() if there is none.
    picoseconds ready() const { return queues_.empty() ? picoseconds::max() : next()->second.waiting_since(); }
    /// The message of the next chunk.
    outgoing_message const& front() const { return next()->second.messages.front(); }
    /// The next chunk, of `bytes`, leaves by `end`. Returns the message if this was its last chunk.
    std::optional<outgoing_message> take(std::size_t bytes, picoseconds end) {
        auto& queue = queues_[next()->first];
        queue.last_chunk_end = end;
        auto& message = queue.messages.front();
        message.remaining -= bytes;
        if (message.remaining != 0) return {};
        std::optional whole{std::move(message)};
        queue.messages.pop_front();
        return whole;
    }

private:
    struct rank_queue {
        std::deque<outgoing_message> messages{};
        picoseconds last_chunk_end{};

        picoseconds waiting_since() const {
            return messages.empty() ? picoseconds::max() : std::max(messages.front().ready, last_chunk_end);
        }
        std::pair<picoseconds, bool> order() const { return {waiting_since(), waiting_since() == last_chunk_end}; }
    };
    using rank_queues = std::map<int, rank_queue>;

    rank_queues::const_iterator next() const {
        return std::min_element(queues_.begin(), queues_.end(),
                                [](auto& a, auto& b) { return a.second.order() < b.second.order(); });
    }

    rank_queues queues_;
};

/// The messages between ranks on the nodes of a cluster.
///
/// The time at which a chunk flows depends on the messages of other ranks. Chunks flow only while all ranks wait or
/// have ended: then the next chunk is known, because every later send of a rank has a later virtual time.
///
/// A chunk arrives at the other node when it leaves the first, unless that node's incoming direction is busy. It then
/// waits between the nodes, in the order in which chunks left; at equal times in the order of nodes.
class interconnect : public mailboxes {
public:
    explicit interconnect(cluster const& c)
        : cluster_{c}, ports_(static_cast<std::size_t>(c.node_count())), running_{c.node_of_rank.size()} {}

    bool is_internode(int a, int b) const { return node_of(a) != node_of(b); }
    void send(channel route, picoseconds at, std::vector<std::byte> content) {
        auto const lock = locked();
        auto const bytes = content.size();
        port_of(route.from).waiting.add({route, at + cluster_.link.latency, bytes, std::move(content)});
    }
    /// A rank is about to wait in a collective operation of all ranks.
    void enter_collective() {
        auto const lock = locked();
        if (++in_collective_ != cluster_.node_of_rank.size()) return on_wait();
        in_collective_ = 0;
        running_ += cluster_.node_of_rank.size() - 1; // they count as running, although their threads may still sleep
    }
    /// A rank has ended.
    void end_rank() {
        auto const lock = locked();
        ++ended_;
        on_wait();
    }
    /// The busy times of each node's link.
    std::vector<link_busy_time> busy_times() const {
        std::vector<link_busy_time> all;
        for (auto const& [waiting, out, in] : ports_)
            all.push_back({out.busy_time(), in.busy_time(), common_busy_time(out, in)});
        return all;
    }

private:
    struct port {
        fair_queue waiting{};
        link_direction out{};
        link_direction in{};

        picoseconds next_chunk() const { return std::max(out.free_at(), waiting.ready()); }
    };

    int node_of(int rank) const { return cluster_.node_of_rank.at(static_cast<std::size_t>(rank)); }
    port& port_of(int rank) { return ports_[static_cast<std::size_t>(node_of(rank))]; }

    void on_wake() override { ++running_; }
    void on_wait() override {
        if (is_aborted()) return; // a rank that failed counts as running forever
        if (deadlocked_) throw deadlock{};
        --running_;
        while (running_ == 0 && send_chunk()) {
        }
        deadlocked_ = running_ == 0 && ended_ != cluster_.node_of_rank.size();
        if (deadlocked_) throw deadlock{};
    }
    /// Sends the next chunk; false if there is none. The arrival of a message is known when its last chunk begins to
    /// flow: the message is delivered then.
    bool send_chunk() {
        auto const earlier = [](port const& a, port const& b) { return a.next_chunk() < b.next_chunk(); };
        auto const from = std::min_element(ports_.begin(), ports_.end(), earlier);
        if (from == ports_.end() || from->next_chunk() == picoseconds::max()) return false;
        auto const begin = from->next_chunk();
        auto const& message = from->waiting.front();
        auto const bytes = std::min(message.remaining, cluster_.link.chunk);
        auto const duration = cluster_.link.transfer_time(bytes);
        auto const arrival = port_of(message.route.to).in.occupy(begin, duration);
        auto whole = from->waiting.take(bytes, from->out.occupy(begin, duration));
        if (whole) enqueue(whole->route, {arrival, std::move(whole->content)});
        return true;
    }

    cluster cluster_;
    std::vector<port> ports_; // one for each node
    std::size_t running_;     // ranks that neither wait nor have ended
    std::size_t in_collective_ = 0;
    std::size_t ended_ = 0;
    bool deadlocked_ = false;
};

} // namespace detail

} // namespace sonde::sim
