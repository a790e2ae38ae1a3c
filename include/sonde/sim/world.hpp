// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/detail/threads.hpp>
#include <sonde/group.hpp>
#include <sonde/sim/clock.hpp>
#include <sonde/sim/cluster.hpp>
#include <sonde/sim/network.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sonde::sim {

class process;
class window;

namespace detail {

/// The collective operations of all ranks of a world. They take no virtual time: all ranks leave at the time of the
/// latest, with the values reduced in the order of ranks.
class collectives {
public:
    explicit collectives(std::size_t ranks) : barrier_{ranks} {}

    /// Reduces `values`, and sets `now` to the latest time. Collective over all ranks; throws peer_failed after
    /// `abort`.
    void all_reduce(std::size_t rank, picoseconds& now, std::span<double> values, reduction how) {
        auto const reduce = [how](std::vector<contribution> const& each) {
            auto all = each.front();
            for (std::size_t other = 1; other != each.size(); ++other) {
                all.now = std::max(all.now, each[other].now);
                sonde::detail::reduce_into(all.values, each[other].values, how);
            }
            return all;
        };
        auto const all = barrier_.arrive_and_wait(rank, {now, {values.begin(), values.end()}}, reduce);
        now = all.now;
        std::copy(all.values.begin(), all.values.end(), values.begin());
    }
    void abort() { barrier_.abort(); }

private:
    struct contribution {
        picoseconds now{};
        std::vector<double> values{};
    };

    sonde::detail::combining_barrier<contribution> barrier_;
};

} // namespace detail

/// The group of all ranks of a simulated world. A collective operation takes no time, but all ranks leave it at the
/// time of the latest.
class group {
public:
    explicit group(process& self) : self_{&self} {}
    int rank() const;
    int size() const;
    void barrier() const { all_reduce({}, reduction::sum); }
    void all_reduce(std::span<double> values, reduction how) const;

private:
    process* self_;
};

/// A link to one peer through the simulated network.
///
/// A send is buffered: it costs the overhead, and a wait for the network interface; a message to another node waits for
/// its interface by itself. A receive costs the overhead after the arrival of the message. `wait_all` completes pending
/// receives. `recv` and `wait_all` throw std::length_error for a message longer than the receive, and peer_failed.
class link {
public:
    link(process& self, int peer, int tag = 0) : self_{&self}, peer_{peer}, tag_{tag} {}
    void send(region message);
    void recv(region message);
    void isend(region message) { send(message); }
    void irecv(region message) { pending_.push_back(message); }
    void wait_all() {
        for (auto const message : pending_) recv(message);
        pending_.clear();
    }

private:
    process* self_;
    int peer_;
    int tag_;
    std::vector<region> pending_;
};

/// One rank: its virtual time, its group, its clocks and its links.
class process {
public:
    process(int rank, int size, log_gp net, detail::mailboxes& boxes, detail::collectives& collectives,
            detail::interconnect* interconnect = nullptr)
        : rank_{rank}, size_{size}, net_{net}, boxes_{&boxes}, collectives_{&collectives}, interconnect_{interconnect} {
    }

    sim::group group() { return sim::group{*this}; }
    manual_clock clock() { return manual_clock{time_}; }
    skewed_clock clock(skew by) { return {time_, by}; }
    sim::link link(int peer, int tag = 0) { return {*this, peer, tag}; }
    /// Computes for a duration.
    void work(picoseconds duration) { time_.now += duration; }
    void wait_until(picoseconds t) { time_.now = std::max(time_.now, t); }
    /// The virtual time. This is no reading of a clock.
    picoseconds now() const { return time_.now; }
    int rank() const { return rank_; }
    int size() const { return size_; }

private:
    friend class sim::group;
    friend class sim::link;
    friend class sim::window;

    picoseconds inject(std::size_t bytes);
    void send(detail::channel to, std::vector<std::byte> content);

    int rank_;
    int size_;
    log_gp net_;
    detail::mailboxes* boxes_;
    detail::collectives* collectives_;
    detail::interconnect* interconnect_; // null in a world without nodes
    virtual_time time_{};
    picoseconds interface_free_{};
};

inline int group::rank() const { return self_->rank_; }
inline int group::size() const { return self_->size_; }
inline void group::all_reduce(std::span<double> values, reduction how) const {
    if (self_->interconnect_ != nullptr) self_->interconnect_->enter_collective();
    self_->collectives_->all_reduce(static_cast<std::size_t>(self_->rank_), self_->time_.now, values, how);
}

/// Hands a message of `bytes` to the network interface; returns the arrival time of its last byte.
inline picoseconds process::inject(std::size_t bytes) {
    auto const length = static_cast<std::int64_t>(bytes);
    time_.now = std::max(time_.now + net_.overhead, interface_free_);
    auto const last_byte = time_.now + std::max<std::int64_t>(length - 1, 0) * net_.gap_per_byte;
    interface_free_ = last_byte + net_.gap;
    return last_byte + net_.latency;
}

inline void process::send(detail::channel to, std::vector<std::byte> content) {
    if (interconnect_ != nullptr && interconnect_->is_internode(to.from, to.to)) {
        time_.now += net_.overhead;
        return interconnect_->send(to, time_.now, std::move(content));
    }
    auto const arrival = inject(content.size());
    boxes_->deliver(to, {arrival, std::move(content)});
}

inline void link::send(region message) { self_->send({self_->rank_, peer_, tag_}, {message.begin(), message.end()}); }

inline void link::recv(region message) {
    auto const received = self_->boxes_->receive({peer_, self_->rank_, tag_});
    if (received.content.size() > message.size())
        throw std::length_error{"sonde::sim: the message is longer than the receive"};
    std::copy(received.content.begin(), received.content.end(), message.begin());
    self_->time_.now = std::max(self_->time_.now, received.arrival) + self_->net_.overhead;
}

/// Ranks in virtual time over a LogGP network, with one thread and one clock each. All runs have the same results.
///
/// With a cluster, the LogGP network is that within a node. A message between nodes costs the overhead on both
/// processors, too, and flows over the shared links of the nodes.
class world {
public:
    world(int ranks, log_gp net) : ranks_{static_cast<std::size_t>(ranks)}, net_{net} {}
    /// Throws std::invalid_argument as cluster::validate does.
    explicit world(cluster nodes, log_gp within_node = {})
        : ranks_{nodes.node_of_rank.size()}, net_{within_node}, cluster_{std::move(nodes)} {
        cluster_->validate();
    }

    /// Runs f(process&) on every rank and waits for all. An exception of one rank ends the waiting of the others and is
    /// rethrown. Throws `deadlock` if ranks of a cluster wait for messages that no rank sends.
    template <class F>
    void run(F f) {
        if (!cluster_) {
            detail::mailboxes boxes;
            return run_with(boxes, nullptr, f);
        }
        detail::interconnect interconnect{*cluster_};
        run_with(interconnect, &interconnect, f);
        links_ = interconnect.busy_times();
    }
    /// The busy times of each node's link in the last run.
    std::vector<link_busy_time> const& links() const { return links_; }

private:
    template <class F>
    void run_with(detail::mailboxes& boxes, detail::interconnect* interconnect, F& f) {
        detail::collectives collectives{ranks_};
        auto const body = [&](std::size_t rank) {
            process self{static_cast<int>(rank), static_cast<int>(ranks_), net_, boxes, collectives, interconnect};
            f(self);
            if (interconnect != nullptr) interconnect->end_rank();
        };
        sonde::detail::run_on_threads(ranks_, body, [&] {
            boxes.abort();
            collectives.abort();
        });
    }

    std::size_t ranks_;
    log_gp net_;
    std::optional<cluster> cluster_;
    std::vector<link_busy_time> links_;
};

/// A ControlChannel through the simulated network, on a tag of its own.
class control_channel {
public:
    explicit control_channel(process& self, int tag = 32766) : self_{&self}, tag_{tag} {}
    void send(int to, std::span<double const> v) const {
        auto const bytes = std::as_bytes(v);
        std::vector<std::byte> message{bytes.begin(), bytes.end()};
        self_->link(to, tag_).send(message);
    }
    void receive(int from, std::span<double> v) const { self_->link(from, tag_).recv(std::as_writable_bytes(v)); }

private:
    process* self_;
    int tag_;
};

} // namespace sonde::sim
