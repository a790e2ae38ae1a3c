// SPDX-License-Identifier: BSL-1.0
// Links of the other modes of sending and receiving.
#include <doctest/doctest.h>

#include "application.hpp"
#include "ledger.hpp"
#include "paired_rank.hpp"

#include <sonde/measure/compare.hpp>
#include <sonde/mpi.hpp>
#include <sonde/mpi/exchange.hpp>
#include <sonde/mpi/link_modes.hpp>
#include <sonde/sonde.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

using namespace sonde;
using ledger::call;

namespace {

/// Calls of this rank in the ping-pong of a link.
template <class Make>
std::size_t calls_of(call which, Make make) {
    auto const before = ledger::current()[which];
    static_cast<void>(ping_pong_errors(8, make));
    return ledger::current()[which] - before;
}

std::size_t messages_of_this_rank() {
    return application::rank() < application::size() / 2 * 2 ? conformance::message_rounds : 0;
}

/// A ready link with a tag of its own.
struct tagged_ready_link : mpi::ready_link {
    tagged_ready_link(mpi::group const& ranks, int peer) : ready_link{ranks, peer, 7} {}
};

} // namespace

TEST_CASE_TEMPLATE("round trips over links of each mode conform", L, mpi::buffered_link, tagged_ready_link,
                   mpi::any_source_link, mpi::mprobe_link) {
    mpi::attached_buffer const room{300'001};
    mpi::group ranks{application::comm()};
    conformance::check_round_trips(ranks, links_of<L>(ranks));
    conformance::check_no_peer(L{ranks, no_peer});
}

TEST_CASE("each mode makes its own calls") {
    mpi::attached_buffer const room{8};
    auto const messages = messages_of_this_rank();
    CHECK(calls_of(call::bsend, make_link<mpi::buffered_link>) == messages);
    CHECK(calls_of(call::rsend, make_link<tagged_ready_link>) == messages);
    CHECK(calls_of(call::mprobe, make_link<mpi::mprobe_link>) == messages);
    CHECK(calls_of(call::mrecv, make_link<mpi::mprobe_link>) == messages);
    CHECK(calls_of(call::ssend, make_link<mpi::sync_link>) == messages);
    CHECK(calls_of(call::send, make_link<mpi::link>) == messages);
    CHECK(calls_of(call::ssend, make_link<mpi::link>) == 0);
    CHECK(calls_of(call::send, make_link<mpi::sync_link>) == 0);
    CHECK(calls_of(call::send, make_link<mpi::buffered_link>) == 0);
    CHECK(calls_of(call::send, make_link<tagged_ready_link>) == 0);
    CHECK(calls_of(call::recv, make_link<mpi::mprobe_link>) == 0);
}

TEST_CASE("a buffered send without room fails; a second buffer is refused") {
    mpi::group ranks{application::comm()};
    mpi::attached_buffer const room{16};
    std::vector<std::byte> bytes(1 << 20);
    mpi::buffered_link link{ranks, ranks.rank()};
    auto out = link.send_buffer(slice{bytes});
    CHECK_THROWS_AS(link.send(out.next()), mpi::error);
    CHECK_THROWS_AS(mpi::attached_buffer{16}, std::logic_error);
}

TEST_CASE("an attached buffer has room for its number of messages, whatever their length") {
    mpi::group ranks{application::comm()};
    for (std::size_t const bytes : {1U, 7U, 8U, 100U}) {
        constexpr std::size_t n = 50;
        mpi::attached_buffer const room{bytes, n};
        host_allocation memory{bytes};
        mpi::buffered_link link{ranks, ranks.rank(), 5};
        auto out = link.send_buffer(memory.first(bytes)), in = link.recv_buffer(memory.first(bytes));
        CHECK_NOTHROW([&] {
            for (std::size_t i = 0; i != n; ++i) link.send(out.next());
        }());
        for (std::size_t i = 0; i != n; ++i) link.recv(in.next());
    }
    CHECK_THROWS_AS((mpi::attached_buffer{std::size_t{1} << 31}), std::length_error);
    CHECK_THROWS_AS((mpi::attached_buffer{1 << 20, 1 << 20}), std::length_error);
    CHECK_THROWS_AS((mpi::attached_buffer{~std::size_t{0} - 50}), std::length_error);
}

TEST_CASE("a ready link beside another one of the same ranks takes no message of it") {
    paired_rank t{8};
    ping_pong usual{mpi::link{t.ranks, t.at.peer}, t.at.role, t.out.first(8), t.in.first(8)};
    ping_pong ready{mpi::ready_link{t.ranks, t.at.peer, 7}, t.at.role, t.out.first(8), t.in.first(8)};
    auto const found = compare(t.ranks, plan<>{}.until(samples{4}), named{"Send", usual}, named{"Rsend", ready});
    CHECK(found.records.at(1).point.name == "Rsend");
}

TEST_CASE("a ready link has one receive pending, which ends with the link") {
    {
        paired_rank t{8};
        ping_pong pattern{mpi::ready_link{t.ranks, t.at.peer, 7}, t.at.role, t.out.first(8), t.in.first(8)};
        t.ranks.barrier();
        pattern();
        CHECK(ledger::current().active_requests == 1);
    }
    CHECK(ledger::current().active_requests == 0);
}

TEST_CASE("any_source_link takes messages of several ranks, in the order in which they come") {
    mpi::group ranks{application::comm()};
    auto const others = static_cast<std::size_t>(ranks.size() - 1);
    if (ranks.rank() != 0) {
        std::byte const mine[] = {static_cast<std::byte>(ranks.rank())};
        mpi::link const to_root{ranks, 0, 3};
        PMPI_Send(mine, 1, MPI_BYTE, 0, 3, ranks.comm());
        return;
    }
    host_allocation in{64};
    std::size_t sum = 0;
    mpi::any_source_link from_any{ranks, 0, 3};
    auto buffer = from_any.recv_buffer(in.first(1));
    for (std::size_t i = 0; i != others; ++i) {
        from_any.recv(buffer.next());
        sum += static_cast<std::size_t>(in.bytes()[0]);
    }
    CHECK(sum == others * (others + 1) / 2);
}

TEST_CASE("any_source_link sends and receives a window of messages, too") {
    mpi::group ranks{application::comm()};
    CHECK(conformance::exchange_errors(ranks, 64, links_of<mpi::any_source_link>(ranks)) == 0);
}

TEST_CASE("a probed message that is longer than its region is an error, a shorter one is not") {
    mpi::group ranks{application::comm()};
    if (ranks.size() < 2 || ranks.rank() > 1) return;
    host_allocation bytes{64};
    mpi::mprobe_link link{ranks, 1 - ranks.rank()};
    auto of_8 = link.send_buffer(bytes.first(8)), of_16 = link.send_buffer(bytes.first(16));
    if (ranks.rank() == 0) {
        link.send(of_8.next());
        link.send(of_16.next());
    } else {
        CHECK_NOTHROW(link.recv(of_16.next()));
        CHECK_THROWS_AS(link.recv(of_8.next()), mpi::error);
    }
}

TEST_CASE("exchange: each rank of a ring receives what its left neighbor sent, by one MPI_Sendrecv") {
    paired_rank t{5000};
    auto const ranks = t.ranks.size(), left = (t.ranks.rank() + ranks - 1) % ranks;
    t.at = {role::initiator, left};
    exchange pattern{mpi::sendrecv_link{t.ranks, (t.ranks.rank() + 1) % ranks, left}, t.out.first(5000),
                     t.in.first(5000)};
    auto const before = ledger::current()[call::sendrecv];
    CHECK(t.errors_of(pattern, conformance::both_get_one) == 0);
    CHECK(ledger::current()[call::sendrecv] - before == conformance::message_rounds);
    CHECK(pattern.traffic().bytes == 5000);
    CHECK(pattern.traffic().messages == 1);
}

TEST_CASE("exchange: the end of a chain, which sends to nobody, counts nothing") {
    paired_rank t{100};
    auto const last = t.ranks.size() - 1, rank = t.ranks.rank();
    exchange chain{mpi::sendrecv_link{t.ranks, rank == last ? no_peer : rank + 1, rank == 0 ? no_peer : rank - 1},
                   t.out.first(100), t.in.first(100)};
    auto const r = run(t.ranks, plan<>{}.until(samples{2}), chain);
    CHECK(r.total.messages == static_cast<std::size_t>(last));
    CHECK(r.total.bytes == 100 * static_cast<std::size_t>(last));
}

TEST_CASE("exchange: without neighbors nothing is written") {
    paired_rank t{16};
    t.in.fill(std::byte{42});
    exchange pattern{mpi::sendrecv_link{t.ranks, no_peer, no_peer}, t.out.first(16), t.in.first(16)};
    pattern();
    CHECK(t.in.bytes()[0] == std::byte{42});
}

TEST_CASE("large counts: a ping-pong delivers every byte; an older MPI library is refused by name") {
    mpi::group ranks{application::comm()};
    if (MPI_VERSION < 4) {
        CHECK_THROWS_AS((mpi::large_count_link{ranks, 0}), std::runtime_error);
        return;
    }
    conformance::check_round_trips(ranks, links_of<mpi::large_count_link>(ranks));
}

TEST_CASE("partitioned: a ping-pong delivers every partition; an older MPI library is refused by name") {
    mpi::group ranks{application::comm()};
    if (MPI_VERSION < 4) {
        CHECK_THROWS_AS((mpi::partitioned_link{ranks, 0, 4}), std::runtime_error);
        return;
    }
    for (std::size_t const n : {4U, 64U, 300'000U}) {
        auto const errors = ping_pong_errors(n, [](mpi::group const& g, int peer) {
            return mpi::partitioned_link<>{g, peer, 4};
        });
        CAPTURE(n);
        CHECK(errors == 0);
    }
}

TEST_CASE("partitioned: each partition is produced before it is sent") {
    if (MPI_VERSION < 4) return;
    paired_rank t{400};
    t.write(0);
    std::vector<std::byte> const whole(t.out.bytes().begin(), t.out.bytes().begin() + 400);
    t.out.fill(std::byte{0});
    std::vector<int> produced;
    auto const produce = [&](int i) { // its own part alone
        produced.push_back(i);
        auto const first = static_cast<std::size_t>(i) * 100;
        std::copy_n(&whole[first], 100, &t.out.bytes()[first]);
    };
    ping_pong pattern{mpi::partitioned_link{t.ranks, t.at.peer, 4, produce}, t.at.role, t.out.first(400),
                      t.in.first(400)};
    t.ranks.barrier();
    pattern();
    CHECK(t.wrong(t.at.peer, 0, conformance::both_get_one(t.at.role)) == 0);
    CHECK(produced == (t.at.role == role::idle ? std::vector<int>{} : std::vector{0, 1, 2, 3}));
}

TEST_CASE("partitioned: if a part cannot be produced, the peer gets the message, and the link goes on") {
    if (MPI_VERSION < 4) return;
    paired_rank t{400};
    std::size_t calls = 0;
    auto const produce = [&](int i) {
        ++calls;
        if (i == 2 && t.ranks.rank() == 0) throw std::domain_error{"no part"};
    };
    mpi::partitioned_link link{t.ranks, t.at.peer, 4, produce};
    auto out = link.send_buffer(t.out.first(400)), in = link.recv_buffer(t.in.first(400));
    auto const one_way = [&] {
        if (t.at.role == role::initiator) link.send(out.next());
        if (t.at.role == role::responder) link.recv(in.next());
    };
    auto const p = plan<>{}.warmup(0).until(samples{3}).agree_on_errors();
    if (application::size() == 1) return;
    if (application::rank() == 0) CHECK_THROWS_AS(static_cast<void>(run(t.ranks, p, one_way)), std::domain_error);
    else CHECK_THROWS_AS(static_cast<void>(run(t.ranks, p, one_way)), std::runtime_error);
    if (application::rank() == 0) CHECK(calls == 9); // the parts 0 to 2, three times
}

TEST_CASE("partitioned: a number of partitions that does not divide the elements is refused, and so is none") {
    if (MPI_VERSION < 4) return;
    mpi::group ranks{application::comm()};
    host_allocation bytes{64};
    mpi::partitioned_link link{ranks, no_peer, 3};
    CHECK_THROWS_WITH_AS(link.send_buffer(bytes.first(64)),
                         "sonde::mpi::partitioned_link: 3 partitions do not divide 64 elements", std::invalid_argument);
    CHECK_THROWS_AS((mpi::partitioned_link{ranks, no_peer, 0}), std::invalid_argument);
}
