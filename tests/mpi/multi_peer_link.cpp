// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "../link_conformance.hpp"
#include "application.hpp"
#include "ledger.hpp"

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

using namespace sonde;
using ledger::call;

namespace {

constexpr std::size_t rounds = 3;
constexpr std::size_t window = 4;
constexpr std::size_t message_sizes[] = {0, 1, 5000, 300'001};

/// A link of rank 0 with all other ranks.
struct rank_with_peers {
    mpi::group ranks{application::comm()};
    bool parent = ranks.rank() == 0;
    std::vector<int> peers;

    rank_with_peers() {
        if (!parent) peers.push_back(0);
        for (int r = 1; parent && r < ranks.size(); ++r) peers.push_back(r);
    }
    role who(bool parent_sends) const { return parent == parent_sends ? role::initiator : role::responder; }
};

/// Distinct regions of equal size, written and checked one by one.
class regions {
public:
    regions(std::size_t n, std::size_t count) : n_{n}, count_{count}, memory_{count * host_allocation::stride_of(n)} {}
    rotating buffer() const { return memory_.distinct_regions(n_, count_); }
    region operator[](std::size_t i) const { return memory_.bytes().subspan(i * host_allocation::stride_of(n_), n_); }
    void clear() { memory_.fill(std::byte{0}); }

private:
    std::size_t n_;
    std::size_t count_;
    host_allocation memory_;
};

std::size_t fan_errors(std::size_t n, bool parent_sends) {
    rank_with_peers f;
    auto const who = f.who(parent_sends);
    regions out{n, window}, in{n, window * std::max<std::size_t>(f.peers.size(), 1)};
    std::byte token{};
    stream pattern{mpi::multi_peer_link{f.ranks, f.peers},
                   who,
                   window,
                   out.buffer(),
                   in.buffer(),
                   mpi::multi_peer_link{f.ranks, f.peers, 1},
                   slice{{&token, 1}}};
    auto const prepare = [&](std::size_t round) {
        for (std::size_t w = 0; w != window; ++w) conformance::write_message(out[w], f.ranks.rank(), round, w);
        in.clear();
    };
    auto const verify = [&](std::size_t round) {
        std::size_t errors = 0;
        auto const n_peers = f.peers.size();
        if (who == role::responder)
            for (std::size_t i = 0; i != window * n_peers; ++i)
                errors += conformance::wrong_bytes(in[i], f.peers[i % n_peers], round, i / n_peers);
        return errors;
    };
    return validate(f.ranks, pattern, prepare, verify, rounds);
}

} // namespace

TEST_CASE(
    "a multi_peer_link delivers every message of its window to every peer, or each peer's to a region of its own") {
    for (bool const parent_sends : {true, false})
        for (auto const n : message_sizes) {
            auto const errors = fan_errors(n, parent_sends);
            CAPTURE(n);
            CAPTURE(parent_sends);
            CHECK(errors == 0);
        }
}

TEST_CASE("a multi_peer_link posts one request for each message and peer, and waits for all in one call") {
    for (bool const parent_sends : {true, false}) {
        auto const before = ledger::current();
        fan_errors(8, parent_sends);
        auto const after = ledger::current();
        auto const peers = application::rank() == 0 ? static_cast<std::size_t>(application::size() - 1) : 1;
        auto const sends = (application::rank() == 0) == parent_sends;
        auto const posted = rounds * window * peers;
        CHECK(after[call::isend] - before[call::isend] == (sends ? posted : 0));
        CHECK(after[call::irecv] - before[call::irecv] == (sends ? 0 : posted));
        CHECK(after[call::waitall] - before[call::waitall] == rounds);
        CHECK(after[call::recv] - before[call::recv] == (sends ? rounds * peers : 0));
        CHECK(after[call::send] - before[call::send] == (sends ? 0 : rounds * peers));
    }
}

TEST_CASE("no_peer of a multi_peer_link is no rank: nothing is received from any rank, and no wait blocks") {
    mpi::group ranks{application::comm()};
    for (int const no_rank : {no_peer, int{MPI_PROC_NULL}}) {
        std::byte sent{42}, received{};
        mpi::multi_peer_link link{ranks, {no_rank}};
        auto in = link.recv_buffer(slice{{&received, 1}});
        auto out = link.send_buffer(slice{{&sent, 1}});
        MPI_Request own = MPI_REQUEST_NULL; // a message that a receive from any rank would take
        PMPI_Isend(&sent, 1, MPI_BYTE, ranks.rank(), 0, ranks.comm(), &own);
        link.irecv(in.next());
        link.isend(out.next());
        link.wait_all();
        link.recv(in.next());
        link.send(out.next());
        CHECK(received == std::byte{0});
        int there = 0;
        for (int i = 0; i != 1000 && there == 0; ++i)
            PMPI_Iprobe(ranks.rank(), 0, ranks.comm(), &there, MPI_STATUS_IGNORE);
        CHECK(there != 0);
        if (there != 0) PMPI_Recv(&received, 1, MPI_BYTE, ranks.rank(), 0, ranks.comm(), MPI_STATUS_IGNORE);
        PMPI_Wait(&own, MPI_STATUS_IGNORE);
    }
}

TEST_CASE("a multi_peer_link destroyed before the wait leaves no request active") {
    mpi::group ranks{application::comm()};
    std::byte here{};
    {
        mpi::multi_peer_link link{ranks, {ranks.rank(), ranks.rank()}};
        auto buffer = link.recv_buffer(slice{{&here, 1}});
        link.irecv(buffer.next());
    }
    CHECK(ledger::current().active_requests == 0);
}
