// SPDX-License-Identifier: BSL-1.0
#include "imb/mt/mt_setting.hpp"

#include "imb/mpi1/patterns.hpp"

#include <sonde/mpi/collective.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/point_to_point.hpp>

#include <cstddef>

namespace imb::mt {

namespace {

namespace mpi = sonde::mpi;

// Point-to-point benchmarks.

expected_messages from_peer(setting const& s) {
    auto const peer = s.pairing().peer;
    return peer < 0 ? expected_messages{} : expected_messages{{0, s.bytes, peer, peer}};
}

work ping_pong(setting const& s) {
    auto const pattern = [](setting const& on) {
        auto const [role, peer] = on.pairing();
        return timed_on_both_sides{
            sonde::ping_pong{mpi::link{on.ranks, peer, tag, on.elements()}, role, on.out(), on.in()}};
    };
    return make_work(s, pattern, from_peer);
}

work ping_ping(setting const& s) {
    auto const pattern = [](setting const& on) {
        auto const [role, peer] = on.pairing();
        sourced_link const link{on.ranks, peer, source::peer, on.elements()};
        return unless_idle{role, imb::ping_ping{link, on.rotating_out(), on.rotating_in()}};
    };
    return make_work(s, pattern, from_peer);
}

expected_messages from_left(setting const& s) {
    auto const left = s.ring().left();
    return {{0, s.bytes, left, left}};
}

work send_recv(setting const& s) {
    auto const pattern = [](setting const& on) { return sendrecv{on.ring(), on.rotating_out(), on.rotating_in()}; };
    return make_work(s, pattern, from_left);
}

expected_messages from_both_neighbors(setting const& s) {
    auto const left = s.ring().left(), right = s.ring().right();
    return {{0, s.bytes, left, left}, {stride_of(s.bytes), s.bytes, right, right}};
}

work exchange(setting const& s) {
    auto const pattern = [](setting const& on) {
        return imb::exchange{on.ring(), {on.rotating_out(), on.rotating_out()}, {on.rotating_in(0), on.rotating_in(1)}};
    };
    return make_work(s, pattern, from_both_neighbors);
}

expected_messages window_from_peer(setting const& s) {
    expected_messages all;
    auto const peer = s.pairing().peer;
    for (std::size_t i = 0; peer >= 0 && i != s.options.window; ++i)
        all.push_back({i * stride_of(s.bytes), s.bytes, peer, peer});
    return all;
}

expected_messages window_at_responder(setting const& s) {
    return s.pairing().role == sonde::role::responder ? window_from_peer(s) : expected_messages{};
}

mpi::async_link window_link(setting const& s) { return {s.ranks, s.pairing().peer, tag, s.elements()}; }
mpi::link acknowledgment_link(setting const& s) { return {s.ranks, s.pairing().peer, tag + 1, {MPI_CHAR}}; }

work uni_band(setting const& s) {
    auto const pattern = [](setting const& on) {
        return timed_on_both_sides{sonde::stream{window_link(on), on.pairing().role, on.options.window, on.out(),
                                                 on.window_in(), acknowledgment_link(on), on.token()}};
    };
    return make_work(s, pattern, window_at_responder);
}

work bi_band(setting const& s) {
    auto const pattern = [](setting const& on) {
        sonde::bidirectional both{window_link(on), sonde::role::initiator, on.options.window,
                                  on.out(),        on.window_in(),         sonde::directions::sent};
        auto const role = on.pairing().role;
        return unless_idle{role, acknowledged{std::move(both), acknowledgment_link(on), role, on.token()}};
    };
    return make_work(s, pattern, window_from_peer);
}

// Collectives of the ranks, on the communicator of each thread.

/// A barrier of the process's threads, then a barrier of the ranks on each thread's communicator.
work barrier_of_all(setting const& s) {
    auto const pattern = [](setting const& on) {
        auto among_ranks = mpi::blocking{mpi::barrier{on.ranks}};
        auto const moved = among_ranks.traffic();
        auto const several = on.options.level == threading::multiple;
        return sonde::with_traffic{moved, [several, &threads = on.process_threads, among_ranks]() mutable {
                                       if (several) threads.arrive_and_wait();
                                       among_ranks();
                                   }};
    };
    return make_work(s, pattern, [](setting const&) { return expected_messages{}; });
}

work bcast(setting const& s) {
    auto const pattern = [](setting const& on) {
        return mpi::blocking{mpi::bcast{on.ranks, on.collective_block(), 0}, on.rank() == 0 ? on.out() : on.in()};
    };
    return make_work(s, pattern, [](setting const& on) {
        return on.rank() == 0 ? expected_messages{} : expected_messages{{0, on.bytes, 0, 0}};
    });
}

expected_messages sum_of_all(setting const& s) { return {{0, s.bytes, 0, s.ranks.size() - 1}}; }

work reduce(setting const& s) {
    auto const pattern = [](setting const& on) {
        return mpi::blocking{mpi::reduce{on.ranks, on.collective_block(), MPI_SUM, 0}, on.out(), on.in()};
    };
    return make_work(s, pattern,
                     [](setting const& on) { return on.rank() == 0 ? sum_of_all(on) : expected_messages{}; });
}

work all_reduce(setting const& s) {
    auto const pattern = [](setting const& on) {
        return mpi::blocking{mpi::allreduce{on.ranks, on.collective_block(), MPI_SUM}, on.out(), on.in()};
    };
    return make_work(s, pattern, sum_of_all);
}

} // namespace

std::vector<benchmark> const& rows() {
    constexpr auto bandwidth = columns::times_bandwidth, rate = columns::bandwidth_rate;
    static std::vector<benchmark> const all{
        {.name = "PingPongMT", .shows = bandwidth, .time_divisor = 2, .make = ping_pong},
        {.name = "PingPingMT", .shows = bandwidth, .make = ping_ping},
        {.name = "SendRecvMT", .shows = bandwidth, .bandwidth_factor = 2, .make = send_recv},
        {.name = "ExchangeMT", .shows = bandwidth, .receive_buffers = 2, .bandwidth_factor = 4, .make = exchange},
        {.name = "UniBandMT", .shows = rate, .window = true, .make = uni_band},
        {.name = "BiBandMT", .shows = rate, .window = true, .time_divisor = 2, .make = bi_band},
        {.name = "BarrierMT", .timed = timing::calls_only, .sized = false, .make = barrier_of_all},
        {.name = "BcastMT", .timed = timing::calls, .make = bcast},
        {.name = "ReduceMT", .timed = timing::calls, .make = reduce},
        {.name = "AllReduceMT", .timed = timing::calls, .make = all_reduce},
    };
    return all;
}

} // namespace imb::mt
