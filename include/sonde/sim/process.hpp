// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/group.hpp>
#include <sonde/sim/interconnect.hpp>
#include <sonde/sim/manual_clock.hpp>
#include <sonde/sim/meeting.hpp>
#include <sonde/sim/network.hpp>
#include <sonde/sim/skewed_clock.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sonde::sim {

class process;
class window;

/// The ranks of a simulated world; a collective takes no time but leaves all at the time of the latest.
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

/// A way to one peer through the simulated network. A send is buffered: it costs the overhead, and a wait for the
/// network interface unless the peer is on another node (the message then waits by itself); a receive costs the
/// overhead after the message's arrival. A pending receive is completed by `wait_all`.
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

/// One rank: its virtual time, and its ways to the others.
class process {
public:
    process(int rank, int size, log_gp net, detail::post_office& post, detail::meeting& meeting,
            detail::interconnect* nodes = nullptr)
        : rank_{rank}, size_{size}, net_{net}, post_{&post}, meeting_{&meeting}, nodes_{nodes} {}

    sim::group group() { return sim::group{*this}; }
    manual_clock clock() { return manual_clock{time_}; }
    skewed_clock clock(skew by) { return {time_, by}; }
    sim::link link(int peer, int tag = 0) { return {*this, peer, tag}; }
    /// Be busy.
    void work(picoseconds d) { time_.now += d; }
    void wait_until(picoseconds t) { time_.now = std::max(time_.now, t); }
    /// Not a reading of the clock.
    picoseconds now() const { return time_.now; }
    int rank() const { return rank_; }
    int size() const { return size_; }

private:
    friend class sim::group;
    friend class sim::link;
    friend class sim::window;

    picoseconds inject(std::size_t bytes);
    void post(detail::channel way, std::vector<std::byte> content);

    int rank_;
    int size_;
    log_gp net_;
    detail::post_office* post_;
    detail::meeting* meeting_;
    detail::interconnect* nodes_; // none where all ranks are equally far apart
    virtual_time time_{};
    picoseconds interface_free_{};
};

inline int group::rank() const { return self_->rank_; }
inline int group::size() const { return self_->size_; }
inline void group::all_reduce(std::span<double> values, reduction how) const {
    if (self_->nodes_ != nullptr) self_->nodes_->meet();
    self_->meeting_->attend(static_cast<std::size_t>(self_->rank_), self_->time_.now, values, how);
}

/// Give a message of so many bytes to the network; when its last byte arrives.
inline picoseconds process::inject(std::size_t bytes) {
    auto const length = static_cast<std::int64_t>(bytes);
    time_.now = std::max(time_.now + net_.overhead, interface_free_);
    auto const last_byte = time_.now + std::max<std::int64_t>(length - 1, 0) * net_.gap_per_byte;
    interface_free_ = last_byte + net_.gap;
    return last_byte + net_.latency;
}

inline void process::post(detail::channel way, std::vector<std::byte> content) {
    if (nodes_ != nullptr && nodes_->apart(way.from, way.to)) {
        time_.now += net_.overhead;
        return nodes_->carry(way, time_.now, std::move(content));
    }
    auto const arrival = inject(content.size());
    post_->deliver(way, {arrival, std::move(content)});
}

inline void link::send(region message) { self_->post({self_->rank_, peer_, tag_}, {message.begin(), message.end()}); }

inline void link::recv(region message) {
    auto const letter = self_->post_->collect({peer_, self_->rank_, tag_});
    if (letter.content.size() > message.size())
        throw std::length_error{"sonde::sim: a message longer than its receive"};
    std::copy(letter.content.begin(), letter.content.end(), message.begin());
    self_->time_.now = std::max(self_->time_.now, letter.arrival) + self_->net_.overhead;
}

} // namespace sonde::sim
