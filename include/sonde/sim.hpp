// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/threads.hpp>
#include <sonde/group.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/sim/clock.hpp>
#include <sonde/sim/network.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sonde::inline v0_1::sim {

class control_channel;
class group;
class link;
class window;

/// One rank: its virtual time, its group, its clocks and its links.
class process {
public:
    process(int rank, network_parameters net, detail::interconnect& shared)
        : rank_{rank}, net_{net}, shared_{&shared} {}

    /// The group of all processes, as this process sees it.
    sim::group group();
    /// A link to another process.
    sim::link link(int peer, int tag = 0);
    /// A clock of this process, which differs from virtual time by the skew.
    manual_clock clock(skew by = {}) { return manual_clock{time_, by}; }
    /// Computes for a duration.
    void work(picoseconds duration) { time_.now += duration; }
    /// Idle until a virtual time; does nothing if it is past.
    void wait_until(picoseconds t) { time_.now = std::max(time_.now, t); }
    /// The virtual time. It is not a reading of a clock.
    picoseconds now() const { return time_.now; }
    int rank() const { return rank_; }
    int size() const { return shared_->ranks(); }

private:
    friend class sim::group;
    friend class sim::link;
    friend class sim::window;

    /// Hands a message of `bytes` to the network interface; returns the arrival time of its last byte.
    picoseconds inject(std::size_t bytes) {
        auto const length = static_cast<std::int64_t>(bytes);
        time_.now = std::max(time_.now + net_.overhead, interface_free_);
        auto const last_byte = time_.now + std::max<std::int64_t>(length - 1, 0) * net_.gap_per_byte;
        interface_free_ = last_byte + net_.gap;
        return last_byte + net_.latency;
    }
    /// Waits for the next message of a rank with a tag; takes no virtual time.
    detail::message receive(int from, int tag) { return shared_->receive({from, rank_, tag}); }
    /// Waits until a message has arrived, and receives it.
    void complete_receive(picoseconds arrival) {
        wait_until(arrival);
        work(net_.overhead);
    }

    int rank_;
    network_parameters net_;
    detail::interconnect* shared_;
    virtual_time time_{};
    picoseconds interface_free_{};
};

/// The group of all ranks of a simulated world. A collective operation takes no time, but all ranks leave it at the
/// time of the latest rank.
class group {
public:
    explicit group(process& self) : self_{&self} {}
    int rank() const { return self_->rank(); }
    int size() const { return self_->size(); }
    void barrier() const { all_reduce({}, reduction::sum); }
    /// Every rank gets the values of all ranks and reduces them in rank order.
    void all_reduce(std::span<double> values, reduction how) const {
        auto const own = std::as_bytes(values);
        for (int to = 0; to != size(); ++to)
            self_->shared_->deliver({rank(), to, detail::collective_tag}, {self_->now(), {own.begin(), own.end()}});
        std::vector<double> all;
        for (int from = 0; from != size(); ++from) {
            auto const message = self_->receive(from, detail::collective_tag);
            self_->wait_until(message.arrival);
            std::vector<double> one(message.content.size() / sizeof(double));
            std::copy(message.content.begin(), message.content.end(), std::as_writable_bytes(std::span{one}).begin());
            if (from == 0) all = one;
            else sonde::detail::reduce_into(all, one, how);
        }
        for (std::size_t i = 0; i != values.size(); ++i) values[i] = all[i];
    }
    [[nodiscard]] sim::control_channel control_channel() const;
    void exchange(int to, int from) const;

private:
    process* self_;
};

/// A link to one peer through the simulated network.
///
/// A send is buffered: it costs the overhead and a wait for the network interface. For a message to another node it
/// costs the overhead only, and the message alone waits for the interface. A receive costs the overhead after the
/// arrival of the message. `wait_all` completes pending receives. `recv` and `wait_all` throw std::length_error for a
/// message longer than the receive, and peer_failed.
class link {
public:
    link(process& self, int peer, int tag = 0) : self_{&self}, peer_{peer}, tag_{tag} {}
    void send(std::span<std::byte const> message) {
        detail::channel const route{self_->rank(), peer_, tag_};
        if (self_->shared_->is_internode(route.from, route.to)) {
            self_->work(self_->net_.overhead);
            return self_->shared_->send(route, self_->now(), {message.begin(), message.end()});
        }
        auto const arrival = self_->inject(message.size());
        self_->shared_->deliver(route, {arrival, {message.begin(), message.end()}});
    }
    void recv(region message) {
        auto const received = self_->receive(peer_, tag_);
        if (received.content.size() > message.size())
            throw std::length_error{"sonde::sim: the message is longer than the receive"};
        std::copy(received.content.begin(), received.content.end(), message.begin());
        self_->complete_receive(received.arrival);
    }
    void isend(std::span<std::byte const> message) { send(message); }
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

/// A ControlChannel through the simulated network, on a separate tag.
class control_channel {
public:
    explicit control_channel(process& self, int tag = 32766) : self_{&self}, tag_{tag} {}
    void send(int to, std::span<std::byte const> b) const { self_->link(to, tag_).send(b); }
    void receive(int from, std::span<std::byte> b) const { self_->link(from, tag_).recv(b); }

private:
    process* self_;
    int tag_;
};

inline control_channel group::control_channel() const { return sim::control_channel{*self_}; }
inline void group::exchange(int to, int from) const {
    self_->link(to, detail::exchange_tag).send({});
    self_->link(from, detail::exchange_tag).recv({});
}
inline group process::group() { return sim::group{*this}; }
inline link process::link(int peer, int tag) { return {*this, peer, tag}; }

/// Ranks in virtual time over a LogGP network, with one thread and one clock each. Every run has the same results.
///
/// With a cluster, the LogGP network connects the ranks within a node. A message between nodes also costs the overhead
/// on both processors, and it flows over the shared links of the nodes. Without a cluster, all ranks are on one node.
class world {
public:
    world(int ranks, network_parameters net)
        : cluster_{std::vector<int>(static_cast<std::size_t>(ranks)), {}}, net_{net} {}
    /// Throws std::invalid_argument as cluster::validate does.
    explicit world(cluster nodes, network_parameters within_node = {}) : cluster_{std::move(nodes)}, net_{within_node} {
        cluster_.validate();
    }

    /// Runs f(process&) on every rank and waits for all. An exception of one rank ends the waiting of the others and is
    /// rethrown. Throws `deadlock` if ranks wait for messages that no rank sends.
    template <class F>
    void run(F f) {
        detail::interconnect shared{cluster_};
        auto const body = [&](std::size_t rank) {
            process self{static_cast<int>(rank), net_, shared};
            f(self);
            shared.end_rank();
        };
        sonde::detail::run_on_threads(cluster_.node_of_rank.size(), body, [&] { shared.abort(); });
        links_ = shared.busy_times();
    }
    /// The busy times of each node's link in the last run.
    std::vector<link_busy_time> const& links() const { return links_; }

private:
    cluster cluster_;
    network_parameters net_;
    std::vector<link_busy_time> links_;
};

/// Who makes progress, that is, begins the next stage of an operation: the hardware, with no call (offloaded); every
/// call, as in a library without a progress thread; or only the wait.
enum class progress_mode : unsigned char { offloaded, in_calls, in_wait };

/// The time course of an operation: consecutive stages, which need no processor, and the processor time of `start` and
/// of each `test`.
struct operation_profile {
    progress_mode progress = progress_mode::offloaded; // what the stages need to go on
    std::size_t stages = 1;                            // number of stages
    picoseconds stage_time{};                          // of each stage
    picoseconds start_time{};                          // processor time of `start`
    picoseconds test_time{};                           // processor time of each `test`
};

/// A NonblockingOperation of one rank in virtual time. Ranks do not wait for each other.
class nonblocking_operation {
public:
    nonblocking_operation(process& self, operation_profile p) : self_{&self}, profile_{p} {}

    void start() {
        self_->work(profile_.start_time);
        stages_left_ = profile_.stages;
        end_ = self_->now();
        if (profile_.progress == progress_mode::offloaded) begin(stages_left_);
        if (profile_.progress == progress_mode::in_calls) begin(1);
    }
    bool test() {
        self_->work(profile_.test_time);
        if (profile_.progress == progress_mode::in_calls && self_->now() >= end_) begin(1);
        return stages_left_ == 0 && self_->now() >= end_;
    }
    void wait() {
        self_->wait_until(end_);
        begin(stages_left_);
        self_->wait_until(end_);
    }
    void operator()() {
        start();
        wait();
    }

private:
    void begin(std::size_t stages) {
        auto const begun = std::min(stages, stages_left_);
        stages_left_ -= begun;
        end_ = std::max(end_, self_->now()) + static_cast<std::int64_t>(begun) * profile_.stage_time;
    }

    process* self_;
    operation_profile profile_;
    std::size_t stages_left_ = 0; // that have not begun
    picoseconds end_{};           // of the stages that have begun
};

} // namespace sonde::sim
