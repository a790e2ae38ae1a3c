// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/pattern.hpp>

#include <cstddef>
#include <cstdint>
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

} // namespace imb::p2p
