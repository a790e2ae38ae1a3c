// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
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
/// when an epoch, or `take`, says so. Throws std::invalid_argument in a world of nodes.
class window {
public:
    window(process& self, region own)
        : self_{&self}, own_{own}, sent_(static_cast<std::size_t>(self.size())),
          last_arrival_(static_cast<std::size_t>(self.size())) {
        if (self.nodes_ != nullptr) throw std::invalid_argument{"sonde::sim: a window among nodes is not simulated"};
    }

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

} // namespace sonde::sim
