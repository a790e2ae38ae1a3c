// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "paired_rank.hpp"

#include <sonde/measure/run.hpp>
#include <sonde/pattern/point_to_point.hpp>

using namespace sonde;
using ranks::paired_rank;

namespace {

constexpr std::size_t rounds = 3;
constexpr std::size_t window = 5;
constexpr std::size_t message_sizes[] = {0, 1, 5000, 100'001}; // the last is more than is in flight at a time

template <class L>
std::size_t ping_pong_errors(std::size_t n) {
    paired_rank t{n};
    ping_pong pattern{L{t.on, t.at.peer}, t.at.role, t.out.first(n), t.in.first(n)};
    auto const prepare = [&](std::size_t round) {
        t.write(0, n, round);
        t.clear();
    };
    auto const verify = [&](std::size_t round) {
        return t.at.role == role::idle ? std::size_t{0} : t.wrong(0, n, round);
    };
    return validate(t.all, pattern, prepare, verify, rounds);
}

/// Errors of a windowed pattern made by `make(paired_rank, out, in)`, each message in a region of its own.
template <class Make>
std::size_t window_errors(std::size_t n, Make make, auto receives) {
    auto const stride = ranks::device_allocation::stride_of(n);
    paired_rank t{window * stride};
    auto pattern = make(t, t.out.distinct_regions(n, window), t.in.distinct_regions(n, window));
    auto const prepare = [&](std::size_t round) {
        for (std::size_t w = 0; w != window; ++w) t.write(w * stride, n, round, w);
        t.clear();
    };
    auto const verify = [&](std::size_t round) {
        std::size_t errors = 0;
        for (std::size_t w = 0; receives(t.at.role) && w != window; ++w) errors += t.wrong(w * stride, n, round, w);
        return errors;
    };
    return validate(t.all, pattern, prepare, verify, rounds);
}

} // namespace

TEST_CASE_TEMPLATE("a ping-pong delivers every byte in both directions, whichever ranks are idle", L,
                   nccl::link<ranks::waits>, nccl::stream_ordered_link<ranks::waits>) {
    for (auto const n : message_sizes) {
        auto const errors = ping_pong_errors<L>(n);
        CAPTURE(n);
        CHECK(errors == 0);
    }
}

TEST_CASE_TEMPLATE("a stream delivers every message of its window to the responder, each to its own region", L,
                   nccl::link<ranks::waits>, nccl::stream_ordered_link<ranks::waits>) {
    auto const make = [](paired_rank& t, opaque_rotating out, opaque_rotating in) {
        return stream{L{t.on, t.at.peer}, t.at.role, window, out, in, nccl::link{t.on, t.at.peer}, t.out.first(1)};
    };
    for (auto const n : message_sizes) {
        auto const errors = window_errors(n, make, [](role who) { return who == role::responder; });
        CAPTURE(n);
        CHECK(errors == 0);
    }
}

TEST_CASE_TEMPLATE("a bidirectional exchange delivers every message of both windows", L, nccl::link<ranks::waits>,
                   nccl::stream_ordered_link<ranks::waits>) {
    auto const make = [](paired_rank& t, opaque_rotating out, opaque_rotating in) {
        return bidirectional{L{t.on, t.at.peer}, t.at.role, window, out, in};
    };
    for (auto const n : message_sizes) {
        auto const errors = window_errors(n, make, [](role who) { return who != role::idle; });
        CAPTURE(n);
        CHECK(errors == 0);
    }
}

TEST_CASE("a message of a stream_ordered_link arrives by complete(), one of a link by the end of its receive") {
    paired_rank t{100};
    t.write(0, 100, 0);
    t.clear();
    auto early = std::size_t{1}, late = std::size_t{0};
    nccl::stream_ordered_link peer{t.on, t.at.peer};
    auto from = peer.send_buffer(t.out.first(100));
    auto into = peer.recv_buffer(t.in.first(100));
    if (t.at.role == role::initiator) {
        peer.recv(into.next());
        std::vector<std::byte> now(100); // in another stream: the copies of read() do not wait for this one
        early = now == ranks::read<std::byte>(t.in, 100) ? 1 : 0;
    }
    t.all.barrier(); // the responder sends after this
    if (t.at.role == role::responder) peer.send(from.next());
    peer.complete();
    if (t.at.role == role::initiator) late = t.wrong(0, 100, 0);
    CHECK(application::everywhere(early == 1 && late == 0));
}
