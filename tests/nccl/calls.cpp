// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "paired_rank.hpp"

#include <sonde/pattern/point_to_point.hpp>

#include <stdexcept>
#include <string>
#include <vector>

using namespace sonde;
using ranks::paired_rank;

namespace {

static_assert(Link<nccl::link<>, nccl::message> && AsyncLink<nccl::link<>, nccl::message>);
static_assert(Link<nccl::stream_ordered_link<>, nccl::message> &&
              AsyncLink<nccl::stream_ordered_link<>, nccl::message>);
static_assert(!Link<nccl::link<>, opaque_region>); // a region without an adapted count

std::string to(paired_rank const& t, char const* call, int bytes) {
    return std::string{call} + ' ' + std::to_string(bytes) + ' ' + std::to_string(t.at.peer) + " 1";
}

using lines = std::vector<std::string>;

} // namespace

TEST_CASE("a window is one group of NCCL calls; a single message makes none") {
    paired_rank t{1000};
    stream pattern{nccl::stream_ordered_link{t.on, t.at.peer},
                   t.at.role,
                   3,
                   t.out.first(64),
                   t.in.distinct_regions(64, 3),
                   nccl::link{t.on, t.at.peer},
                   t.out.first(1)};
    auto const first = t.at.role == role::initiator ? to(t, "ncclSend", 64) : to(t, "ncclRecv", 64);
    auto const last = t.at.role == role::initiator ? to(t, "ncclRecv", 1) : to(t, "ncclSend", 1);
    lines const expected{"ncclGroupStart", first, first, first, "ncclGroupEnd", last};
    auto const calls = ranks::nccl_calls([&] { pattern(), complete(pattern); });
    CHECK(application::everywhere(calls == (t.at.role == role::idle ? lines{} : expected)));
}

TEST_CASE("a message has as many elements as fit, or as requested; more than fit are refused") {
    paired_rank t{1000};
    auto const bytes = [&](nccl::elements as) {
        return nccl::link{t.on, t.at.peer, as}.send_buffer(t.out.first(1000)).size();
    };
    CHECK(bytes({}) == 1000);
    CHECK(bytes({ncclFloat}) == 1000);
    CHECK(bytes({ncclDouble, 3}) == 24);
    CHECK(bytes({ncclHalf, 500}) == 1000);
    CHECK(bytes({ncclUint8, 1}) == 1);
    for (auto const four : {ncclInt, ncclUint32, ncclFloat}) CHECK(bytes({four, 1}) == 4);
    for (auto const eight : {ncclInt64, ncclUint64, ncclDouble}) CHECK(bytes({eight, 1}) == 8);
    CHECK(bytes({ncclBfloat16, 1}) == 2);
    CHECK_THROWS_AS(bytes({ncclDouble, 126}), std::length_error);
    CHECK_THROWS_AS(bytes({ncclNumTypes}), std::invalid_argument);
    auto const sent = nccl::link{t.on, t.at.peer, {ncclDouble, 3}}.send_buffer(t.out.first(1000)).next();
    CHECK(sent.count == 3);
    CHECK(sent.type == ncclDouble);
}

TEST_CASE("the polling wait calls the program's function between two queries of the stream") {
    paired_rank t{8};
    auto polls = 0;
    // The responder sends after the initiator has polled once.
    nccl::queue on{t.comm, t.stream, nccl::polling{[&] {
                       if (++polls == 1) t.ranks.barrier();
                   }}};
    nccl::link peer{on, t.at.peer};
    auto const m = peer.recv_buffer(t.in.first(8)).next();
    if (t.at.role == role::initiator) peer.recv(m);
    else t.ranks.barrier();
    if (t.at.role == role::responder) nccl::link{t.on, t.at.peer}.send(m);
    CHECK(application::everywhere(t.at.role != role::initiator || polls > 0));
    CHECK(cudaPeekAtLastError() == cudaSuccess); // an incomplete query leaves no error
}

TEST_CASE("the stream_synchronize wait makes no other call") {
    paired_rank t{8};
    nccl::queue on{t.comm, t.stream, nccl::stream_synchronize{}};
    ping_pong pattern{nccl::link{on, t.at.peer}, t.at.role, t.out.first(8), t.in.first(8)};
    auto const before = fake::calls().size();
    pattern();
    auto const made = fake::calls().size() - before; // a call and a wait for each message
    CHECK(application::everywhere(made == (t.at.role == role::idle ? 0 : 4)));
}
