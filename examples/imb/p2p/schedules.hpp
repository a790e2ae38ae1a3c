// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "draws.hpp"
#include "grid.hpp"

#include <sonde/pattern.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace imb::p2p {

// What a rank does in one repetition, said to a post:
//
//     p.send(to), p.recv(from)
//     p.swap(to, from)         receives while it sends
//     p.all(ranks)             message i goes to, and one comes from, rank i of the list, all under way together
//     p.replace(to, from)      what comes takes the place of what went
//
// A schedule is a value; one that draws begins anew where a fresh copy does.

struct pong {
    sonde::pairing at;
    void operator()(auto& post) const {
        if (at.role == sonde::role::initiator) {
            post.send(at.peer);
            post.recv(at.peer);
        } else {
            post.recv(at.peer);
            post.send(at.peer);
        }
    }
};

struct ping {
    int partner;
    void operator()(auto& post) const { post.swap(partner, partner); }
};

/// As many steps as ranks: in each one sends to another.
struct unirandom {
    int me;
    int ranks;
    generator draw{};
    void operator()(auto& post) {
        for (int step = 0; step != ranks; ++step) {
            drawn_pair const pair{draw, ranks};
            if (me == pair.first) post.send(pair.second);
            else if (me == pair.second) post.recv(pair.first);
        }
    }
};

/// As many steps as ranks: in each two exchange.
struct birandom {
    int me;
    int ranks;
    generator draw{};
    void operator()(auto& post) {
        for (int step = 0; step != ranks; ++step) {
            drawn_pair const pair{draw, ranks};
            if (me == pair.first) post.swap(pair.second, pair.second);
            else if (me == pair.second) post.swap(pair.first, pair.first);
        }
    }
};

/// A ring, shuffled anew each time.
struct corandom {
    int me;
    drawn_ring ring;
    generator draw{};
    void operator()(auto& post) {
        ring.shuffle(draw);
        post.swap(ring.from(me, 1), ring.from(me, -1));
    }
};

struct stencil {
    std::vector<int> neighbours;
    void operator()(auto& post) const { post.all(neighbours); }
};

struct replacing {
    int to;
    int from;
    void operator()(auto& post) const { post.replace(to, from); }
};

/// A post of paper: of whom a rank heard last, slot by slot; -1: of nobody.
struct register_of_arrivals {
    std::vector<int> heard;
    bool in_place = false; // where messages were sent from

    explicit register_of_arrivals(std::size_t slots) : heard(slots, -1) {}
    void send(int) const {}
    void recv(int from) { heard[0] = from; }
    void swap(int, int from) { recv(from); }
    void all(std::vector<int> const& ranks) { heard = ranks; }
    void replace(int, int from) {
        recv(from);
        in_place = true;
    }
};

} // namespace imb::p2p
