// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/detail/crew.hpp>
#include <sonde/group.hpp>
#include <sonde/sim/manual_clock.hpp>
#include <sonde/sim/meeting.hpp>
#include <sonde/sim/network.hpp>
#include <sonde/sim/skewed_clock.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
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
/// network interface; a receive costs the overhead after the message's arrival. A pending receive is completed by
/// `wait_all`.
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
    process(int rank, int size, log_gp net, detail::post_office& post, detail::meeting& meeting)
        : rank_{rank}, size_{size}, net_{net}, post_{&post}, meeting_{&meeting} {}

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

    int rank_;
    int size_;
    log_gp net_;
    detail::post_office* post_;
    detail::meeting* meeting_;
    virtual_time time_{};
    picoseconds interface_free_{};
};

inline int group::rank() const { return self_->rank_; }
inline int group::size() const { return self_->size_; }
inline void group::all_reduce(std::span<double> values, reduction how) const {
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

inline void link::send(region message) {
    auto const arrival = self_->inject(message.size());
    self_->post_->deliver({self_->rank_, peer_, tag_}, {arrival, {message.begin(), message.end()}});
}

inline void link::recv(region message) {
    auto const letter = self_->post_->collect({peer_, self_->rank_, tag_});
    if (letter.content.size() > message.size())
        throw std::length_error{"sonde::sim: a message longer than its receive"};
    std::copy(letter.content.begin(), letter.content.end(), message.begin());
    self_->time_.now = std::max(self_->time_.now, letter.arrival) + self_->net_.overhead;
}

/// Ranks in virtual time over a LogGP network: one thread and one clock each, results the same in every run.
class world {
public:
    world(int ranks, log_gp net) : ranks_{ranks}, net_{net} {}

    /// Run `f(process&)` on every rank and wait for all. What one throws ends the others' waiting, and comes out here.
    template <class F>
    void run(F f) {
        detail::post_office post;
        detail::meeting meeting{static_cast<std::size_t>(ranks_)};
        auto const body = [&](std::size_t rank) {
            process self{static_cast<int>(rank), ranks_, net_, post, meeting};
            f(self);
        };
        sonde::detail::on_threads(static_cast<std::size_t>(ranks_), body, [&] {
            post.fail();
            meeting.fail();
        });
    }

private:
    int ranks_;
    log_gp net_;
};

} // namespace sonde::sim
