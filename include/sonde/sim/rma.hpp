// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/pattern.hpp>
#include <sonde/sim/manual_clock.hpp>
#include <sonde/sim/network.hpp>
#include <sonde/sim/world.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

// One-sided communication over the LogGP network. A put is a message that costs the target's processor nothing; what an
// epoch adds are empty messages, so that every cost is a sum of o, L, g and G.

namespace sonde::sim {

/// Bytes of this rank that others put into. Puts between two ranks arrive in their order, and are seen by the target
/// when an epoch, or `take`, says so.
class window {
public:
    window(process& self, region own)
        : self_{&self}, own_{own}, sent_(static_cast<std::size_t>(self.size())),
          last_arrival_(static_cast<std::size_t>(self.size())) {}

    void put(region from, int target, std::size_t at) {
        auto const arrival = self_->inject(from.size());
        std::vector<std::byte> content(sizeof at);
        std::memcpy(content.data(), &at, sizeof at);
        content.insert(content.end(), from.begin(), from.end());
        self_->post_->deliver({self_->rank_, target, data}, {arrival, std::move(content)});
        last_arrival_[index(target)] = arrival;
        ++sent_[index(target)];
    }
    /// See the next put of an origin, once it has arrived.
    void take(int origin) {
        auto const letter = self_->post_->collect({origin, self_->rank_, data});
        std::size_t at = 0;
        std::memcpy(&at, letter.content.data(), sizeof at);
        auto const bytes = letter.content.size() - sizeof at;
        if (at + bytes > own_.size()) throw std::length_error{"sonde::sim: a put beyond the window"};
        std::copy_n(letter.content.begin() + sizeof at, bytes, own_.begin() + static_cast<std::ptrdiff_t>(at));
        self_->time_.now = std::max(self_->time_.now, letter.arrival);
    }

    /// An empty message to a rank, which says how many puts came before it.
    void signal(int to) {
        auto const puts = std::exchange(sent_[index(to)], 0);
        std::vector<std::byte> content(sizeof puts);
        std::memcpy(content.data(), &puts, sizeof puts);
        self_->post_->deliver({self_->rank_, to, signals}, {self_->inject(0), std::move(content)});
    }
    /// The next signal of a rank, and the puts before it.
    void await(int from) {
        auto const letter = self_->post_->collect({from, self_->rank_, signals});
        std::size_t puts = 0;
        std::memcpy(&puts, letter.content.data(), sizeof puts);
        for (; puts != 0; --puts) take(from);
        self_->time_.now = std::max(self_->time_.now, letter.arrival) + self_->net_.overhead;
    }
    /// Wait until a target's network interface has acknowledged the last put.
    void acknowledged(int target) {
        auto const back = last_arrival_[index(target)] + self_->net_.latency;
        self_->time_.now = std::max(self_->time_.now, back) + self_->net_.overhead;
    }
    int rank() const { return self_->rank_; }
    int ranks() const { return self_->size_; }

private:
    static constexpr int data = -1, signals = -2; // tags that no link has

    static std::size_t index(int rank) { return static_cast<std::size_t>(rank); }

    process* self_;
    region own_;
    std::vector<std::size_t> sent_;
    std::vector<picoseconds> last_arrival_;
};

/// Every rank signals all others, and awaits theirs: puts before it have arrived, puts after it have not begun.
class fence {
public:
    explicit fence(window& w) : window_{&w} {}
    void open(auto) const { meet(); }
    void close(auto) const { meet(); }
    void turn(auto, auto) const { meet(); }

private:
    void meet() const {
        for (int d = 1; d < window_->ranks(); ++d) window_->signal((window_->rank() + d) % window_->ranks());
        for (int d = 1; d < window_->ranks(); ++d)
            window_->await((window_->rank() - d + window_->ranks()) % window_->ranks());
    }

    window* window_;
};

/// A target signals that it is ready (post), the origin awaits that (start); the origin signals that it is done
/// (complete), the target awaits that (wait).
class pscw {
public:
    pscw(window& w, std::vector<int> others) : window_{&w}, others_{std::move(others)} {}
    template <class Side>
    void open(Side) const {
        if constexpr (Side::exposes) signal();
        if constexpr (Side::accesses) await();
    }
    template <class Side>
    void close(Side) const {
        if constexpr (Side::accesses) signal();
        if constexpr (Side::exposes) await();
    }

private:
    void signal() const {
        for (auto const rank : others_) window_->signal(rank);
    }
    void await() const {
        for (auto const rank : others_) window_->await(rank);
    }

    window* window_;
    std::vector<int> others_;
};

/// The origin waits for the acknowledgement of the target's network interface; the target does nothing.
class flush {
public:
    static constexpr bool passive = true;

    flush(window& w, int target) : window_{&w}, target_{target} {}
    void open(auto) const {}
    template <class Side>
    void close(Side) const {
        if constexpr (Side::accesses) window_->acknowledged(target_);
    }

private:
    window* window_;
    int target_;
};

/// Transfer i puts block i of some memory into block i of the target's window.
class put {
public:
    put(window& w, int target, region from, std::size_t bytes)
        : window_{&w}, target_{target}, from_{from}, bytes_{bytes} {}
    void operator()(std::size_t i) const { window_->put(from_.subspan(i * bytes_, bytes_), target_, i * bytes_); }
    std::size_t places() const { return bytes_ == 0 ? static_cast<std::size_t>(-1) : from_.size() / bytes_; }
    traffic moves() const { return {static_cast<double>(bytes_), 1, 1}; }

private:
    window* window_;
    int target_;
    region from_;
    std::size_t bytes_;
};

} // namespace sonde::sim
