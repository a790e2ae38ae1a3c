// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "paired_rank.hpp"

#include <utility>
#include <vector>

using namespace sonde;
using ranks::paired_rank;

TEST_CASE_TEMPLATE("links conform", L, nccl::link<ranks::waits>, nccl::stream_ordered_link<ranks::waits>) {
    ranks::connected c;
    auto const make = [&](int peer) { return L{c.on, peer}; };
    auto const token = [&](auto& t) { return std::pair{nccl::link{c.on, t.at.peer}, t.out.first(1)}; };
    conformance::check_round_trips<cuda::device_memory>(c.all, make);
    conformance::check_windows<cuda::device_memory>(c.all, make, token);
}

TEST_CASE("a message of a stream_ordered_link arrives by complete(), one of a link by the end of its receive") {
    paired_rank t{100};
    t.write(0);
    auto early = std::size_t{1}, late = std::size_t{0};
    nccl::stream_ordered_link peer{t.on, t.at.peer};
    auto from = peer.send_buffer(t.out.first(100));
    auto into = peer.recv_buffer(t.in.first(100));
    if (t.at.role == role::initiator) {
        peer.recv(into.next());
        std::vector<std::byte> now(100); // in another stream: the copies of read() do not wait for this one
        early = now == ranks::read<std::byte>(t.in, 100) ? 1 : 0;
    }
    t.ranks.barrier(); // the responder sends after this
    if (t.at.role == role::responder) peer.send(from.next());
    peer.complete();
    if (t.at.role == role::initiator) late = t.wrong(t.at.peer, 0, 1);
    CHECK(application::everywhere(early == 1 && late == 0));
}
