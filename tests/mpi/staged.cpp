// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "../remote_memory.hpp"
#include "application.hpp"
#include "ledger.hpp"
#include "paired_rank.hpp"

#include <sonde/link.hpp>
#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

// The MPI library of this program has no device support (device_support.cpp), and would crash on these addresses.

using namespace sonde;
using ledger::call;

namespace {

auto by_host(auto make) {
    return [make](int peer) { return staged_link{make(peer), remote_memory{}}; };
}

/// The number of MPI calls of each function while f runs.
std::vector<std::size_t> calls_of(auto f) {
    auto const before = ledger::current().calls;
    f();
    std::vector<std::size_t> calls;
    for (std::size_t i = 0; i != before.size(); ++i) calls.push_back(ledger::current().calls[i] - before[i]);
    return calls;
}

using on_device = conformance::paired_rank<mpi::group, remote_memory>;

} // namespace

TEST_CASE_TEMPLATE("staged round trips conform, with the calls of those in host memory", L, mpi::link, mpi::sync_link,
                   mpi::persistent_link) {
    mpi::group ranks{application::comm()};
    auto const make = [&](int peer) { return make_link<L>(ranks, peer); };
    conformance::check_round_trips<remote_memory>(ranks, by_host(make));
    CHECK(calls_of([&] { conformance::round_trip_errors<remote_memory>(ranks, 8, by_host(make)); }) ==
          calls_of([&] { conformance::round_trip_errors(ranks, 8, make); }));
}

TEST_CASE_TEMPLATE("staged windows conform, with the calls of those in host memory", L, mpi::async_link,
                   mpi::persistent_link) {
    mpi::group ranks{application::comm()};
    auto const make = links_of<L>(ranks);
    auto const token = [](auto& t) { return token_of(t); };
    conformance::check_windows<remote_memory>(ranks, by_host(make), token);
    CHECK(calls_of([&] { conformance::stream_errors<remote_memory>(ranks, 8, by_host(make), token); }) ==
          calls_of([&] { conformance::stream_errors(ranks, 8, make, token); }));
}

TEST_CASE("iterations of staged messages allocate nothing") {
    mpi::group ranks{application::comm()};
    on_device t{ranks, 100};
    staged_link way{mpi::async_link{ranks, t.at.peer}, remote_memory{}};
    bidirectional both{std::move(way), t.at.role, conformance::window, t.sent(), t.received()};
    auto const before = ledger::allocations();
    for (int i = 0; i != 3; ++i) both();
    CHECK(ledger::allocations() == before);
}

TEST_CASE("persistent requests use the host regions, one for each device region") {
    mpi::group ranks{application::comm()};
    on_device const t{ranks, 8};
    auto const before = ledger::current();
    staged_link way{mpi::persistent_link{t.ranks, no_peer}, remote_memory{}};
    auto out = send_buffer(way, t.out.distinct_regions(8, 5));
    CHECK(ledger::current()[call::send_init] - before[call::send_init] == 5);
    CHECK(out.regions() == 5);
}

TEST_CASE("a staged link of greater depth than its number of host regions is refused") {
    mpi::group ranks{application::comm()};
    on_device const t{ranks, 8};
    auto const prepare = [&](std::size_t at_a_time) {
        staged_link way{mpi::persistent_link{t.ranks, no_peer, {}, {}, 5}, remote_memory{}, host_memory{}, at_a_time};
        static_cast<void>(send_buffer(way, t.out.distinct_regions(8, 3)));
    };
    CHECK_THROWS_AS(prepare(1), std::invalid_argument);
    CHECK_NOTHROW(prepare(5));
}
