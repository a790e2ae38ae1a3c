// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory/buffer.hpp>
#include <sonde/pattern.hpp>
#include <sonde/sim.hpp>
#include <sonde/sim/clock.hpp>
#include <sonde/sim/network.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

// One-sided communication over the LogGP network. A put is a message without cost for the target's processor. Epochs
// add empty messages, so that every cost is a sum of o, L, g and G.

namespace sonde::inline v0_1::sim {

/// The memory of one rank into which other ranks put. Puts between two ranks arrive in order. The target sees them when
/// an epoch closes, or by `receive_put`. The constructor throws std::invalid_argument in a world with several nodes.
class window {
public:
    window(process& self, region memory)
        : self_{&self}, memory_{memory}, puts_(static_cast<std::size_t>(self.size())),
          last_arrival_(static_cast<std::size_t>(self.size())) {
        if (self.shared_->nodes() > 1)
            throw std::invalid_argument{"sonde::sim: windows in a world with nodes are not simulated"};
    }

    /// Put bytes into the window of a target, from byte `offset` on.
    void put(int target, std::size_t offset, region origin) {
        auto const arrival = self_->inject(origin.size());
        self_->shared_->deliver({rank(), target, detail::put_tag}, {arrival, {origin.begin(), origin.end()}, offset});
        last_arrival_[index(target)] = arrival;
        ++puts_[index(target)];
    }
    /// Waits for the next put of an origin. Throws std::length_error for a put beyond the end of the window.
    void receive_put(int origin) {
        auto const message = self_->receive(origin, detail::put_tag);
        if (message.header + message.content.size() > memory_.size())
            throw std::length_error{"sonde::sim: a put beyond the end of the window"};
        std::copy(message.content.begin(), message.content.end(),
                  memory_.begin() + static_cast<std::ptrdiff_t>(message.header));
        self_->wait_until(message.arrival);
    }

    /// Sends an empty message to a rank; it counts the puts that precede it.
    void signal(int to) {
        auto const puts = std::exchange(puts_[index(to)], 0);
        self_->shared_->deliver({rank(), to, detail::signal_tag}, {self_->inject(0), {}, puts});
    }
    /// Waits for the next signal of a rank and for the puts that precede it.
    void wait_signal(int from) {
        auto const message = self_->receive(from, detail::signal_tag);
        for (auto puts = message.header; puts != 0; --puts) receive_put(from);
        self_->complete_receive(message.arrival);
    }
    /// Waits until a target's network interface has acknowledged the last put.
    void wait_acknowledgment(int target) {
        self_->complete_receive(last_arrival_[index(target)] + self_->net_.latency);
    }
    /// This rank.
    int rank() const { return self_->rank(); }
    /// Number of ranks.
    int ranks() const { return self_->size(); }

private:
    static std::size_t index(int rank) { return static_cast<std::size_t>(rank); }

    process* self_;
    region memory_;
    std::vector<std::size_t> puts_; // to each rank, since the last signal
    std::vector<picoseconds> last_arrival_;
};

/// Every rank signals all others and waits for their signals: earlier puts have arrived, and later puts have not begun.
struct fence {
    window& memory; // of all ranks

    void open(auto) const { synchronize(); }
    void close(auto) const { synchronize(); }
    void close_and_open(auto, auto) const { synchronize(); }
    /// Signals all other ranks and waits for theirs.
    void synchronize() const {
        auto const rank = memory.rank(), ranks = memory.ranks();
        for (int d = 1; d < ranks; ++d) memory.signal((rank + d) % ranks);
        for (int d = 1; d < ranks; ++d) memory.wait_signal((rank - d + ranks) % ranks);
    }
};

/// Post-start-complete-wait: a target signals that it is ready (post), and the origin waits for that (start); the
/// origin signals that it is done (complete), and the target waits for that (wait).
struct pscw {
    window& memory;          // of all ranks
    std::vector<int> others; // ranks on the other side

    void open(auto side) const { synchronize(side.exposes, side.accesses); }
    void close(auto side) const { synchronize(side.accesses, side.exposes); }
    /// Signals the others, and waits for their signals.
    void synchronize(bool signals, bool waits) const {
        if (signals)
            for (auto const rank : others) memory.signal(rank);
        if (waits)
            for (auto const rank : others) memory.wait_signal(rank);
    }
};

/// The origin waits for the acknowledgment of the target's network interface. The target does nothing.
struct flush {
    static constexpr bool passive = true;

    window& memory; // of all ranks
    int target;     // rank

    void open(auto) const {}
    void close(auto side) const {
        if (side.accesses) memory.wait_acknowledgment(target);
    }
};

/// Transfer i puts block i of `origin`, of `bytes`, into block i of the target's window, which begins at byte `first`.
struct put {
    window& memory; // of all ranks
    int target;     // rank
    region origin;
    std::size_t bytes;
    std::size_t first = 0;

    void operator()(std::size_t i) const { memory.put(target, first + i * bytes, origin.subspan(i * bytes, bytes)); }
    std::size_t capacity() const { return bytes == 0 ? static_cast<std::size_t>(-1) : origin.size() / bytes; }
    sonde::traffic traffic() const { return {bytes, 1, 1}; }
};

} // namespace sonde::sim
