// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../link_conformance.hpp"
#include "application.hpp"

#include <sonde/mpi/group.hpp>
#include <sonde/mpi/link.hpp>

#include <cstddef>
#include <utility>

struct group_of_all {
    sonde::mpi::group all{application::comm()};
};

/// The group of all ranks, this rank's pairing in the largest number of pairs, and its memory.
struct paired_rank : group_of_all, conformance::paired_rank<sonde::mpi::group> {
    explicit paired_rank(std::size_t bytes) : conformance::paired_rank<sonde::mpi::group>{all, bytes} {}
};

/// Makes links with a peer that take a window of messages.
template <class L>
auto links_of(sonde::mpi::group const& ranks) {
    return [&ranks](int peer) {
        if constexpr (std::is_same_v<L, sonde::mpi::persistent_link>)
            return L{ranks, peer, {}, {}, conformance::window};
        else return L{ranks, peer};
    };
}

/// A link and a buffer for the token of a stream.
inline auto token_of(auto const& t) {
    static std::byte token{};
    return std::pair{sonde::mpi::link{t.ranks, t.at.peer, 1}, sonde::slice{{&token, 1}}};
}

/// Errors of a round trip of n bytes over the link `make(ranks, peer)`.
template <class Make>
std::size_t ping_pong_errors(std::size_t n, Make make) {
    sonde::mpi::group ranks{application::comm()};
    return conformance::round_trip_errors(ranks, n, [&](int peer) { return make(ranks, peer); });
}
template <class L>
L make_link(sonde::mpi::group const& ranks, int peer) {
    return L{ranks, peer};
}
