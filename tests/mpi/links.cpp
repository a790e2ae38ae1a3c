// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "ledger.hpp"
#include "paired_rank.hpp"

#include <sonde/mpi.hpp>
#include <sonde/mpi/exchange.hpp>
#include <sonde/sonde.hpp>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>

using namespace sonde;
using ledger::call;

using conformance::message_rounds;

TEST_CASE_TEMPLATE("round trips over links conform", L, mpi::link, mpi::sync_link, mpi::persistent_link) {
    mpi::group ranks{application::comm()};
    conformance::check_round_trips(ranks, links_of<L>(ranks));
    conformance::check_no_peer(L{ranks, no_peer});
}

TEST_CASE_TEMPLATE("windows of links conform", L, mpi::async_link, mpi::persistent_link) {
    mpi::group ranks{application::comm()};
    conformance::check_windows(ranks, links_of<L>(ranks), [](auto& t) { return token_of(t); });
}

TEST_CASE("validation returns the number of wrong bytes on every rank") {
    paired_rank t{64};
    ping_pong pattern{mpi::link{t.ranks, t.at.peer}, t.at.role, t.out.first(64), t.in.first(64)};
    auto const prepare = [&](std::size_t round) {
        t.write(round);
        if (t.at.role == role::initiator) t.out.bytes()[17] ^= std::byte{1};
    };
    auto const verify = [&](std::size_t round) {
        return t.wrong(t.at.peer, round, conformance::both_get_one(t.at.role));
    };
    auto const errors = validate(t.ranks, pattern, prepare, verify, 2);
    CHECK(errors == 2 * static_cast<std::size_t>(t.ranks.size() / 2));
}

TEST_CASE("a persistent link makes its requests once and starts them in each iteration") {
    auto const before = ledger::current();
    ping_pong_errors(8, make_link<mpi::persistent_link>);
    auto const& after = ledger::current();
    auto const talks = application::rank() < application::size() / 2 * 2;
    CHECK(after[call::send_init] - before[call::send_init] == 1);
    CHECK(after[call::recv_init] - before[call::recv_init] == 1);
    CHECK(after[call::start] - before[call::start] == (talks ? 2 * message_rounds : 0));
    CHECK(after.persistent.empty());
}

TEST_CASE("a persistent link makes a request for every region of a buffer, so that a cold buffer stays cold") {
    paired_rank t{2000};
    auto const before = ledger::current();
    mpi::persistent_link link{t.ranks, no_peer};
    auto const cold = link.send_buffer(t.out.distinct_regions(8, 7));
    CHECK(ledger::current()[call::send_init] - before[call::send_init] == 7);
}

TEST_CASE("messages of the two directions have different tags") {
    paired_rank t{2};
    auto const first = t.out.bytes().first(1), second = t.out.bytes().last(1);
    auto const got_first = t.in.bytes().first(1), got_second = t.in.bytes().last(1);
    t.out.bytes().front() = std::byte{3}, t.out.bytes().back() = std::byte{4};
    auto const talk = [&](auto&& link, bool sends, region r) {
        auto buffer = sends ? link.send_buffer(slice{r}) : link.recv_buffer(slice{r});
        sends ? link.send(buffer.next()) : link.recv(buffer.next());
    };
    // The initiator's tags are the responder's in reverse; the second message is received first.
    mpi::link one{t.ranks, t.at.peer, t.at.role == role::initiator ? mpi::tags{5, 9} : mpi::tags{9, 5}};
    mpi::link two{t.ranks, t.at.peer, t.at.role == role::initiator ? mpi::tags{6, 5} : mpi::tags{5, 6}};
    if (t.at.role == role::initiator) {
        talk(one, true, first);
        talk(two, true, second);
    } else if (t.at.role == role::responder) {
        talk(two, false, got_second);
        talk(one, false, got_first);
        CHECK(got_first[0] == first[0]);
        CHECK(got_second[0] == second[0]);
    }
}

TEST_CASE(
    "a negative peer is refused, by its name if it is MPI_ANY_SOURCE: a link to no rank would be fast and wrong") {
    mpi::group ranks{application::comm()};
    CHECK_THROWS_WITH_AS(
        (mpi::link{ranks, MPI_ANY_SOURCE}),
        "sonde::mpi: the peer of a link is MPI_ANY_SOURCE; mpi::any_source_link receives from any rank",
        std::invalid_argument);
    CHECK_THROWS_WITH_AS(
        (mpi::async_link{ranks, -1000}),
        "sonde::mpi: the peer of a link is -1000; a rank without a peer has sonde::no_peer or MPI_PROC_NULL",
        std::invalid_argument);
    CHECK_THROWS_AS((mpi::multi_peer_link{ranks, {0, -1000}}), std::invalid_argument);
}

TEST_CASE("a peer that is no rank, a negative tag and a tag of the group are refused with their numbers") {
    mpi::group ranks{application::comm()};
    auto const last = ranks.size() - 1, beyond = ranks.size();
    CHECK_THROWS_WITH_AS((mpi::link{ranks, beyond}),
                         ("sonde::mpi: the peer of a link is " + std::to_string(beyond) + ", none of the ranks 0 to " +
                          std::to_string(last))
                             .c_str(),
                         std::invalid_argument);
    CHECK_THROWS_AS((mpi::multi_peer_link{ranks, {0, beyond}}), std::invalid_argument);
    CHECK_THROWS_AS((mpi::sendrecv_link{ranks, 0, beyond}), std::invalid_argument);
    CHECK_THROWS_WITH_AS((mpi::link{ranks, last, -5}),
                         "sonde::mpi: the tag of a message is -5; it must be at least 0, and neither 32766 nor 32767, "
                         "which are the group's",
                         std::invalid_argument);
    for (auto const wrong : {mpi::tags{32766}, mpi::tags{0, 32767}, mpi::tags{MPI_ANY_TAG, 0}, mpi::tags{1, -1000}})
        CHECK_THROWS_AS((mpi::async_link{ranks, last, wrong}), std::invalid_argument);
    CHECK_NOTHROW(mpi::link{ranks, last, {32765, MPI_ANY_TAG}});
}

TEST_CASE("a pattern whose rank has no peer moves nothing, and has the traffic of its peers otherwise") {
    mpi::group ranks{application::comm()};
    host_allocation out{16}, in{16};
    for (auto const peer : {no_peer, 0}) {
        auto const is = [&](auto const& pattern, std::size_t bytes, std::size_t messages) {
            CHECK(pattern.traffic().bytes == (peer == no_peer ? 0 : bytes));
            CHECK(pattern.traffic().messages == (peer == no_peer ? 0 : messages));
        };
        auto const who = role::initiator;
        auto const both = out.first(16), to = in.first(16);
        auto const patterns_over = [&](auto link) {
            is(bidirectional{link(), who, 2, both, to, directions::both, receive_regions::overlapping}, 64, 4);
            is(bidirectional{link(), who, 2, both, to, directions::sent, receive_regions::overlapping}, 32, 2);
            is(stream{link(), who, 2, both, to, mpi::link{ranks, peer, 1}, out.first(1), receive_regions::overlapping},
               32, 2);
        };
        is(ping_pong{mpi::link{ranks, peer}, who, both, to}, 32, 2);
        CHECK(ping_pong{mpi::link{ranks, peer}, who, both, to}.traffic().hops == 2);
        patterns_over([&] { return mpi::async_link{ranks, peer}; });
        patterns_over([&] { return mpi::multi_peer_link{ranks, {no_peer, peer}}; });
    }
}

TEST_CASE_TEMPLATE("a link destroyed before the wait leaves no request active", L, mpi::async_link,
                   mpi::persistent_link) {
    mpi::group ranks{application::comm()};
    std::array<std::byte, 4> in{};
    {
        L link{ranks, ranks.rank()};
        auto buffer = link.recv_buffer(slice{in});
        link.irecv(buffer.next());
    }
    CHECK(ledger::current().active_requests == 0);
    CHECK(ledger::current().persistent.empty());
}

TEST_CASE("a persistent receive that is active when its buffer is destroyed takes no later message") {
    mpi::group ranks{application::comm()};
    std::array<std::byte, 4> in{}, sent{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}}, later{};
    auto const me = ranks.rank();
    {
        mpi::persistent_link link{ranks, me};
        auto buffer = link.recv_buffer(slice{in});
        REQUIRE(PMPI_Start(buffer.next()) == MPI_SUCCESS);
    }
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Isend(sent.data(), 4, MPI_BYTE, me, 0, ranks.comm(), &request);
    int found = 0;
    for (int i = 0; i != 1000 && found == 0; ++i) PMPI_Iprobe(me, 0, ranks.comm(), &found, MPI_STATUS_IGNORE);
    CHECK(found != 0);
    if (found != 0) PMPI_Recv(later.data(), 4, MPI_BYTE, me, 0, ranks.comm(), MPI_STATUS_IGNORE);
    PMPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(in[0] == std::byte{0});
    CHECK(later == sent);
}

TEST_CASE("a persistent link of less depth than a pattern's window is refused before anything is started") {
    mpi::group ranks{application::comm()};
    std::array<std::byte, 4> bytes{};
    host_allocation const in{3 * host_allocation::stride_of(4)};
    auto const link = [&](std::size_t n) { return mpi::persistent_link{ranks, no_peer, {}, {}, n}; };
    auto const both_ways = [&](std::size_t n) {
        return bidirectional{link(n), role::idle, 3, slice{bytes}, in.distinct_regions(4, 3)};
    };
    auto const one_way = [&](std::size_t n) {
        return stream{link(n),     role::idle, 3, slice{bytes}, in.distinct_regions(4, 3), mpi::link{ranks, no_peer},
                      slice{bytes}};
    };
    CHECK_THROWS_AS(both_ways(2), std::invalid_argument);
    CHECK_THROWS_AS(one_way(2), std::invalid_argument);
    CHECK_NOTHROW(both_ways(3));
    CHECK_NOTHROW(one_way(3));
    CHECK_THROWS_AS(link(0), std::invalid_argument);
}
