// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/pattern.hpp>
#include <sonde/sim/clock.hpp>
#include <sonde/sim/network.hpp>
#include <sonde/sim/world.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

// One-sided communication over the LogGP network. A put is a message without cost for the target's processor. Epochs
// add empty messages, so that every cost is a sum of o, L, g and G.

namespace sonde::sim {

/// The memory of one rank into which other ranks put. Puts between two ranks arrive in order. The target sees them when
/// an epoch closes, or by `receive_put`. The constructor throws std::invalid_argument in a world with nodes.
class window {
public:
    window(process& self, region memory)
        : self_{&self}, memory_{memory}, puts_(static_cast<std::size_t>(self.size())),
          last_arrival_(static_cast<std::size_t>(self.size())) {
        if (self.interconnect_ != nullptr)
            throw std::invalid_argument{"sonde::sim: windows in a world with nodes are not simulated"};
    }

    void put(region from, int target, std::size_t offset) {
        auto const arrival = self_->inject(from.size());
        self_->boxes_->deliver({self_->rank_, target, put_tag}, {arrival, {from.begin(), from.end()}, offset});
        last_arrival_[index(target)] = arrival;
        ++puts_[index(target)];
    }
    /// Waits for the next put of an origin. Throws std::length_error for a put beyond the end of the window.
    void receive_put(int origin) {
        auto const message = self_->boxes_->receive({origin, self_->rank_, put_tag});
        if (message.header + message.content.size() > memory_.size())
            throw std::length_error{"sonde::sim: a put beyond the end of the window"};
        std::copy(message.content.begin(), message.content.end(),
                  memory_.begin() + static_cast<std::ptrdiff_t>(message.header));
        self_->time_.now = std::max(self_->time_.now, message.arrival);
    }

    /// Sends an empty message to a rank; it counts the puts that precede it.
    void signal(int to) {
        auto const puts = std::exchange(puts_[index(to)], 0);
        self_->boxes_->deliver({self_->rank_, to, signal_tag}, {self_->inject(0), {}, puts});
    }
    /// Waits for the next signal of a rank and for the puts that precede it.
    void wait_signal(int from) {
        auto const message = self_->boxes_->receive({from, self_->rank_, signal_tag});
        for (auto puts = message.header; puts != 0; --puts) receive_put(from);
        self_->time_.now = std::max(self_->time_.now, message.arrival) + self_->net_.overhead;
    }
    /// Waits until a target's network interface has acknowledged the last put.
    void wait_acknowledgment(int target) {
        auto const arrival = last_arrival_[index(target)] + self_->net_.latency;
        self_->time_.now = std::max(self_->time_.now, arrival) + self_->net_.overhead;
    }
    int rank() const { return self_->rank_; }
    int ranks() const { return self_->size_; }

private:
    static constexpr int put_tag = -1, signal_tag = -2; // links have no negative tags

    static std::size_t index(int rank) { return static_cast<std::size_t>(rank); }

    process* self_;
    region memory_;
    std::vector<std::size_t> puts_; // to each rank, since the last signal
    std::vector<picoseconds> last_arrival_;
};

/// Every rank signals all others and waits for their signals: earlier puts have arrived, later ones have not begun.
class fence {
public:
    explicit fence(window& w) : window_{&w} {}
    void open(auto) const { synchronize(); }
    void close(auto) const { synchronize(); }
    void close_and_open(auto, auto) const { synchronize(); }

private:
    void synchronize() const {
        auto const rank = window_->rank(), ranks = window_->ranks();
        for (int d = 1; d < ranks; ++d) window_->signal((rank + d) % ranks);
        for (int d = 1; d < ranks; ++d) window_->wait_signal((rank - d + ranks) % ranks);
    }

    window* window_;
};

/// Post-start-complete-wait: a target signals that it is ready (post), and the origin waits for that (start); the
/// origin signals that it is done (complete), and the target waits for that (wait).
class pscw {
public:
    pscw(window& w, std::vector<int> others) : window_{&w}, others_{std::move(others)} {}
    template <class Side>
    void open(Side) const {
        if constexpr (Side::exposes) signal_all();
        if constexpr (Side::accesses) wait_for_all();
    }
    template <class Side>
    void close(Side) const {
        if constexpr (Side::accesses) signal_all();
        if constexpr (Side::exposes) wait_for_all();
    }

private:
    void signal_all() const {
        for (auto const rank : others_) window_->signal(rank);
    }
    void wait_for_all() const {
        for (auto const rank : others_) window_->wait_signal(rank);
    }

    window* window_;
    std::vector<int> others_;
};

/// The origin waits for the acknowledgment of the target's network interface. The target does nothing.
class flush {
public:
    static constexpr bool passive = true;

    flush(window& w, int target) : window_{&w}, target_{target} {}
    void open(auto) const {}
    template <class Side>
    void close(Side) const {
        if constexpr (Side::accesses) window_->wait_acknowledgment(target_);
    }

private:
    window* window_;
    int target_;
};

/// Transfer i puts block i of `from`, of `bytes`, into block i of the target's window, which begins at byte `first`.
class put {
public:
    put(window& w, int target, region from, std::size_t bytes, std::size_t first = 0)
        : window_{&w}, target_{target}, from_{from}, bytes_{bytes}, first_{first} {}
    void operator()(std::size_t i) const {
        window_->put(from_.subspan(i * bytes_, bytes_), target_, first_ + i * bytes_);
    }
    std::size_t capacity() const { return bytes_ == 0 ? static_cast<std::size_t>(-1) : from_.size() / bytes_; }
    traffic moves() const { return {bytes_, 1, 1}; }

private:
    window* window_;
    int target_;
    region from_;
    std::size_t bytes_;
    std::size_t first_;
};

} // namespace sonde::sim
