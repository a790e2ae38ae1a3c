// SPDX-License-Identifier: BSL-1.0
#include "../everyone_measures.hpp"
#include "../p2p_patterns.hpp"
#include "makers.hpp"
#include "seated.hpp"
#include "work.hpp"

#include <sonde/mpi/link.hpp>
#include <sonde/patterns/bidirectional.hpp>
#include <sonde/patterns/ping_pong.hpp>
#include <sonde/patterns/stream.hpp>

namespace imb::mt {

namespace {

namespace mpi = sonde::mpi;
using arrivals = std::vector<arrival>;

arrivals from_partner(hand const& of) {
    auto const peer = of.pairing().peer;
    return peer < 0 ? arrivals{} : arrivals{{0, peer, peer}};
}

arrivals window_from_partner(hand const& of, bool arrives) {
    arrivals all;
    for (std::size_t i = 0; arrives && of.pairing().peer >= 0 && i != of.asked().window; ++i)
        all.push_back({i * stride_of(of.bytes()), of.pairing().peer, of.pairing().peer});
    return all;
}

chain_link ring(hand const& of) { return {of.ranks(), of.elements(), of.apart()}; }

mpi::link back(hand const& of) { return {of.ranks(), of.pairing().peer, tag + 1, {MPI_CHAR}}; }
mpi::async_link forth(hand const& of) { return {of.ranks(), of.pairing().peer, tag, of.elements()}; }

} // namespace

work ping_pong(instance const& on, std::size_t bytes) {
    return work_of(
        on, bytes,
        [](hand const& of) {
            auto const [who, peer] = of.pairing();
            mpi::link const link{of.ranks(), peer, tag, of.elements()};
            return everyone_measures{sonde::ping_pong{link, who, of.out(), of.in()}};
        },
        from_partner);
}

work ping_ping(instance const& on, std::size_t bytes) {
    return work_of(
        on, bytes,
        [](hand const& of) {
            auto const [who, peer] = of.pairing();
            sourced_link const link{of.ranks(), peer, source::peer, of.elements()};
            return seated{who, imb::ping_ping{link, of.sent(), of.received()}};
        },
        from_partner);
}

work send_recv(instance const& on, std::size_t bytes) {
    return work_of(
        on, bytes,
        [](hand const& of) {
            return sendrecv{ring(of), of.sent(), of.received()};
        },
        [](hand const& of) {
            auto const left = ring(of).left();
            return arrivals{{0, left, left}};
        });
}

work exchange(instance const& on, std::size_t bytes) {
    return work_of(
        on, bytes,
        [](hand const& of) {
            return imb::exchange{ring(of), {of.sent(), of.sent()}, {of.received(0), of.received(1)}};
        },
        [](hand const& of) {
            auto const left = ring(of).left(), right = ring(of).right();
            return arrivals{{0, left, left}, {stride_of(of.bytes()), right, right}};
        });
}

work uni_band(instance const& on, std::size_t bytes) {
    return work_of(
        on, bytes,
        [](hand const& of) {
            return everyone_measures{sonde::stream{forth(of), of.pairing().role, of.asked().window, of.out(),
                                                   of.window(), back(of), of.token()}};
        },
        [](hand const& of) { return window_from_partner(of, of.pairing().role == sonde::role::responder); });
}

work bi_band(instance const& on, std::size_t bytes) {
    return work_of(
        on, bytes,
        [](hand const& of) {
            sonde::bidirectional both{forth(of),   sonde::role::initiator, of.asked().window, of.out(),
                                      of.window(), sonde::directions::sent};
            return seated{of.pairing().role, acknowledged{std::move(both), back(of), of.pairing().role, of.token()}};
        },
        [](hand const& of) { return window_from_partner(of, true); });
}

} // namespace imb::mt
