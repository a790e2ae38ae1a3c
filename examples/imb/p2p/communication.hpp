// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/pattern.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace imb::p2p {

/// Random numbers of IMB-P2P, equal on all ranks: a 64-bit linear congruential generator with seed 0, of which bits 24
/// to 55 are returned.
class random_generator {
public:
    std::uint32_t operator()() {
        state_ = state_ * 7560690468208412377U + 4343336064253945357U;
        return static_cast<std::uint32_t>(state_ >> 24);
    }
    /// From 0 to ranks - 1.
    int rank(int ranks) { return static_cast<int>((*this)() % static_cast<std::uint32_t>(ranks)); }

private:
    std::uint64_t state_ = 0;
};

/// Two different random ranks. Needs at least two ranks.
struct random_pair {
    int first;
    int second;

    random_pair(random_generator& random, int ranks) : first{random.rank(ranks)}, second{random.rank(ranks)} {
        while (second == first) second = random.rank(ranks);
    }
};

/// All ranks in a ring: in rank order until the first shuffle.
class random_ring {
public:
    explicit random_ring(int ranks) {
        for (int r = 0; r != ranks; ++r) order_.push_back(r);
    }
    void shuffle(random_generator& random) {
        for (auto& r : order_) std::swap(r, order_[static_cast<std::size_t>(random.rank(size()))]);
    }
    /// Rank at a distance after this one; -1: the rank before it.
    int neighbor(int rank, int distance) const {
        int at = 0;
        while (order_[static_cast<std::size_t>(at)] != rank) ++at;
        return order_[static_cast<std::size_t>((at + distance + size()) % size())];
    }

private:
    int size() const { return static_cast<int>(order_.size()); }

    std::vector<int> order_;
};

// Communication of a rank in one repetition, as calls of a transport:
//
//     t.send(to), t.recv(from)
//     t.sendrecv(to, from)           send and receive at the same time
//     t.exchange(ranks)              send message i to rank i of the list and receive one from it, all at the same time
//     t.sendrecv_replace(to, from)   the received message replaces the sent one
//
// They are values: a copy continues with the random numbers that the original would draw next.

struct ping_pong {
    sonde::pairing pairing;
    void operator()(auto& transport) const {
        if (pairing.role == sonde::role::initiator) {
            transport.send(pairing.peer);
            transport.recv(pairing.peer);
        } else {
            transport.recv(pairing.peer);
            transport.send(pairing.peer);
        }
    }
};

struct ping_ping {
    int partner;
    void operator()(auto& transport) const { transport.sendrecv(partner, partner); }
};

/// As many steps as ranks: in each step one random rank sends to another.
struct unirandom {
    int me;
    int ranks;
    random_generator random{};
    void operator()(auto& transport) {
        for (int step = 0; step != ranks; ++step) {
            random_pair const pair{random, ranks};
            if (me == pair.first) transport.send(pair.second);
            else if (me == pair.second) transport.recv(pair.first);
        }
    }
};

/// As many steps as ranks: in each step two random ranks exchange messages.
struct birandom {
    int me;
    int ranks;
    random_generator random{};
    void operator()(auto& transport) {
        for (int step = 0; step != ranks; ++step) {
            random_pair const pair{random, ranks};
            if (me == pair.first) transport.sendrecv(pair.second, pair.second);
            else if (me == pair.second) transport.sendrecv(pair.first, pair.first);
        }
    }
};

/// A shift in a ring that is shuffled before each repetition.
struct corandom {
    int me;
    random_ring ring;
    random_generator random{};
    void operator()(auto& transport) {
        ring.shuffle(random);
        transport.sendrecv(ring.neighbor(me, 1), ring.neighbor(me, -1));
    }
};

struct stencil {
    std::vector<int> neighbors;
    void operator()(auto& transport) const { transport.exchange(neighbors); }
};

struct ring_replace {
    int to;
    int from;
    void operator()(auto& transport) const { transport.sendrecv_replace(to, from); }
};

/// Pattern of a communication through a transport. The communication restarts after the warm-up.
template <class Transport, class Communication>
class communication_pattern {
public:
    communication_pattern(Transport transport, Communication communication, sonde::traffic moved)
        : transport_{std::move(transport)}, start_{communication}, current_{std::move(communication)}, moved_{moved} {}

    void operator()() { current_(transport_); }
    void complete() { transport_.complete(); }
    void after_warmup() { current_ = start_; }
    sonde::traffic traffic() const { return moved_; }
    Transport const& transport() const { return transport_; }

private:
    Transport transport_;
    Communication start_;
    Communication current_;
    sonde::traffic moved_;
};

/// Transport that moves nothing and records the source of each receive buffer's last message, for the check of
/// contents.
struct source_log {
    std::vector<int> sources; // by receive buffer; -1: no message
    bool in_place = false;    // messages replaced those in the send buffers

    explicit source_log(std::size_t buffers) : sources(buffers, -1) {}
    void send(int) const {}
    void recv(int from) { sources[0] = from; }
    void sendrecv(int, int from) { recv(from); }
    void exchange(std::vector<int> const& ranks) { sources = ranks; }
    void sendrecv_replace(int, int from) {
        recv(from);
        in_place = true;
    }
};

/// Ranks in a periodic Cartesian grid: rank = (z * y-length + y) * x-length + x.
struct grid {
    int x = 2;
    int y = 2;
    int z = 1;

    int ranks() const { return x * y * z; }
    /// "z x y x x", or "y x x" for a single layer.
    std::string text() const {
        auto const plane = std::to_string(y) + " x " + std::to_string(x);
        return z == 1 ? plane : std::to_string(z) + " x " + plane;
    }
    /// Neighbors of a rank: before and after it in x, then in y, and in z if there are several layers.
    std::vector<int> neighbors(int rank) const {
        int const lengths[] = {x, y, z};
        std::vector<int> all;
        auto step = 1;
        for (std::size_t d = 0; d != (z == 1 ? 2U : 3U); ++d) {
            auto const length = lengths[d], at = rank / step % length;
            for (auto const next : {at + length - 1, at + 1}) all.push_back(rank + (next % length - at) * step);
            step *= length;
        }
        return all;
    }
};

/// IMB-P2P's grid in two dimensions: start with the smallest square of at least that many ranks, then reduce the rows
/// to a divisor of the ranks. A length may be 1.
inline grid plane_of(int ranks) {
    grid g;
    while (g.ranks() < ranks) ++g.x, ++g.y;
    if (g.ranks() == ranks) return g;
    while (ranks % g.y != 0) --g.y;
    g.x = ranks / g.y;
    return g;
}

/// IMB-P2P's grid in three dimensions: start with the smallest cube of at least that many ranks, then reduce the layers
/// to divisors of the ranks until a layer has at least as many rows as there are layers. A length may be 1, and the
/// grid may have more or fewer ranks.
inline grid space_of(int ranks) {
    grid g{2, 2, 2};
    while (g.ranks() < ranks) ++g.x, ++g.y, ++g.z;
    while (g.ranks() > ranks) {
        do --g.z;
        while (ranks % g.z != 0);
        auto const layer = plane_of(ranks / g.z);
        if (layer.y >= g.z) g = {layer.x, layer.y, g.z};
    }
    return g;
}

inline bool fits_plane(int ranks) {
    auto const g = plane_of(ranks);
    return g.x > 1 && g.y > 1;
}

inline bool fits_space(int ranks) {
    auto const g = space_of(ranks);
    return g.x > 1 && g.y > 1 && g.z > 1 && g.ranks() == ranks;
}

} // namespace imb::p2p
