// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "pairs.hpp"

#include <sonde/link.hpp>
#include <sonde/mpi.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

// Messages of device memory through host memory, by Sonde and by hand-written loops, which copy by
//
//     C::to_host(host, device, n), C::to_device(device, host, n)    C::device, C::host: the memories

namespace staged_bench {

template <class C>
struct setup {
    static constexpr std::size_t window = 16;

    sonde::mpi::group world{MPI_COMM_WORLD};
    sonde::pairing pair = sonde::pair_of(world.rank(), 1);
    std::size_t bytes, stride = sonde::host_allocation::stride_of(bytes);
    sonde::allocation<typename C::device> out{window * stride}, in{window * stride};
    std::vector<sonde::seconds> times{}; // Sonde's

    explicit setup(std::size_t n) : bytes{n} {}

    bool initiates() const { return pair.role == sonde::role::initiator; }
    int count() const { return static_cast<int>(bytes); }
    std::byte* sent(std::size_t i) const { return out.bytes().data() + i * stride; }
    std::byte* received(std::size_t i) const { return in.bytes().data() + i * stride; }
    template <class L>
    auto link(L inner) const {
        return sonde::staged_link{std::move(inner), typename C::device{}, typename C::host{}};
    }
    /// Host memory is allocated anew for each turn, so that neither side always has the better pages.
    auto staging(std::size_t messages) const { return sonde::allocation<typename C::host>{messages * stride}; }
};

template <class C>
void trips_by_hand(setup<C> const& s, std::byte* host, std::byte* back, std::size_t n) {
    auto const send = [&] {
        C::to_host(host, s.sent(0), s.bytes);
        MPI_Send(host, s.count(), MPI_BYTE, s.pair.peer, 0, s.world.comm());
    };
    auto const receive = [&] {
        MPI_Recv(back, s.count(), MPI_BYTE, s.pair.peer, 0, s.world.comm(), MPI_STATUS_IGNORE);
        C::to_device(s.received(0), back, s.bytes);
    };
    for (std::size_t i = 0; i < n; ++i) s.initiates() ? (send(), receive()) : (receive(), send());
}

template <class C>
void windows_by_hand(setup<C> const& s, std::byte* host, std::size_t n) {
    MPI_Request under_way[setup<C>::window];
    auto const comm = s.world.comm();
    auto const window = static_cast<int>(s.window);
    char token = 0;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t w = 0; w < s.window; ++w) {
            auto* const at = host + w * s.stride;
            if (s.initiates()) {
                C::to_host(at, s.sent(w), s.bytes);
                MPI_Isend(at, s.count(), MPI_BYTE, s.pair.peer, 0, comm, &under_way[w]);
            } else {
                MPI_Irecv(at, s.count(), MPI_BYTE, s.pair.peer, 0, comm, &under_way[w]);
            }
        }
        MPI_Waitall(window, under_way, MPI_STATUSES_IGNORE);
        if (s.initiates()) {
            MPI_Recv(&token, 1, MPI_BYTE, s.pair.peer, 1, comm, MPI_STATUS_IGNORE);
        } else {
            for (std::size_t w = 0; w < s.window; ++w) C::to_device(s.received(w), host + w * s.stride, s.bytes);
            MPI_Send(&token, 1, MPI_BYTE, s.pair.peer, 1, comm);
        }
    }
}

/// Prints Sonde's median time and the ratio; returns the exit status.
template <class C, class Make, class Iterate>
int compare(setup<C>& s, std::string const& what, double moved, amount much, Make pattern, Iterate by_hand_with) {
    auto const ours = [&] { return s.times.emplace_back(by_sonde(s.world, much, pattern())); };
    auto const theirs = [&] {
        auto const host = s.staging(2 * s.window);
        return by_hand(s.world, much, [&](std::size_t n) { by_hand_with(host.bytes().data(), n); });
    };
    auto const found = ratios(ours, theirs);
    if (s.world.rank() != 0) return 0;
    auto const one = sonde::median(s.times).count();
    std::printf("%s: %.2f us, %.3f GB/s\n", what.c_str(), 1e6 * one, 1e-9 * moved / one);
    return judge(what.c_str(), found, 0.03);
}

template <class C>
int round_trips(std::size_t bytes, amount much) {
    setup<C> s{bytes};
    return compare(
        s, "a staged round trip of " + std::to_string(bytes) + " bytes", 2.0 * static_cast<double>(bytes), much,
        [&] {
            auto link = s.link(sonde::mpi::link{s.world, s.pair.peer});
            return sonde::ping_pong{std::move(link), s.pair.role, s.out.first(bytes), s.in.first(bytes)};
        },
        [&](std::byte* host, std::size_t n) { trips_by_hand(s, host, host + s.stride, n); });
}

template <class C>
int windows(std::size_t bytes, amount much) {
    setup<C> s{bytes};
    std::byte token[1];
    return compare(
        s, "a window of 16 staged messages of " + std::to_string(bytes) + " bytes",
        static_cast<double>(s.window * bytes), much,
        [&] {
            return sonde::stream{s.link(sonde::mpi::async_link{s.world, s.pair.peer}),
                                 s.pair.role,
                                 s.window,
                                 s.out.distinct_regions(bytes, s.window),
                                 s.in.distinct_regions(bytes, s.window),
                                 sonde::mpi::link{s.world, s.pair.peer, 1},
                                 sonde::slice{token}};
        },
        [&](std::byte* host, std::size_t n) { windows_by_hand(s, host, n); });
}

/// Runs all comparisons; returns the exit status. `few`: samples and iterations of the shortest message.
template <class C>
int all(amount few) {
    if (sonde::mpi::group{MPI_COMM_WORLD}.size() != 2) return std::puts("needs 2 ranks"), 2;
    return round_trips<C>(8, few) | round_trips<C>(1 << 20, {60, 1}) | windows<C>(1 << 16, {60, 1});
}

} // namespace staged_bench
