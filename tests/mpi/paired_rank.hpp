// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "application.hpp"
#include "content.hpp"

#include <sonde/measure/run.hpp>
#include <sonde/memory.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/point_to_point.hpp>

#include <cstddef>

constexpr std::size_t validation_rounds = 3;
constexpr std::size_t message_sizes[] = {0, 1, 8, 5000, 300'001}; // inlined, eager, rendezvous

/// The group of all ranks, this rank's pairing in the largest number of pairs, and its memory.
struct paired_rank {
    sonde::mpi::group ranks{application::comm()};
    sonde::pairing at = sonde::pair_of(ranks.rank(), ranks.size() / 2);
    sonde::host_allocation out, in;

    explicit paired_rank(std::size_t bytes) : out{bytes}, in{bytes} {}

    /// Wrong bytes that a pattern delivers from this rank's peer.
    std::size_t errors_of(auto& pattern) {
        auto const prepare = [&](std::size_t round) {
            content::write(out.bytes(), ranks.rank(), round);
            in.fill(std::byte{0});
        };
        auto const verify = [&](std::size_t round) {
            return at.role == sonde::role::idle ? std::size_t{0} : content::wrong(in.bytes(), at.peer, round);
        };
        return sonde::validate(ranks, pattern, prepare, verify, validation_rounds);
    }
};

template <class L>
L make_link(sonde::mpi::group const& ranks, int peer) {
    return L{ranks, peer};
}

/// Errors of a ping-pong of n bytes over the link `make(ranks, peer)`.
template <class Make>
std::size_t ping_pong_errors(std::size_t n, Make make) {
    paired_rank t{n};
    sonde::ping_pong pattern{make(t.ranks, t.at.peer), t.at.role, t.out.first(n), t.in.first(n)};
    return t.errors_of(pattern);
}
