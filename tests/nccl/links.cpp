// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "../mpi/content.hpp"
#include "support.hpp"

#include <sonde/check.hpp>
#include <sonde/patterns/bidirectional.hpp>
#include <sonde/patterns/pairs.hpp>
#include <sonde/patterns/ping_pong.hpp>
#include <sonde/patterns/stream.hpp>

#include <stdexcept>

using namespace sonde;

namespace {

static_assert(Link<nccl::link<>, nccl::message> && AsyncLink<nccl::link<>, nccl::message>);
static_assert(Link<nccl::enqueued_link<>, nccl::message> && AsyncLink<nccl::enqueued_link<>, nccl::message>);
static_assert(!Link<nccl::link<>, opaque_region>); // what was not translated has no count

struct waits_for_nothing {};
static_assert(nccl::Wait<nccl::polling<>> && nccl::Wait<nccl::synchronizing>);
static_assert(!nccl::Wait<waits_for_nothing> && !nccl::Wait<void (*)()>);

constexpr std::size_t rounds = 3;
constexpr std::size_t window = 5;
constexpr std::size_t message_sizes[] = {0, 1, 5000, 100'001}; // the last is more than is on its way at a time

/// As many pairs as there can be, and the memory that this rank talks from.
struct talker : ranks::connected {
    seat at = pair_up(rank(), size() / 2);
    ranks::device_allocation out, in;

    explicit talker(std::size_t bytes) : out{bytes}, in{bytes} {}

    void write(std::size_t place, std::size_t n, std::size_t round, std::size_t message = 0) {
        std::vector<std::byte> bytes(n);
        content::write(bytes, rank(), round, message);
        out.write(place, bytes);
    }
    std::size_t wrong(std::size_t place, std::size_t n, std::size_t round, std::size_t message = 0) const {
        std::vector<std::byte> bytes(n);
        in.read(place, bytes);
        return content::wrong(bytes, at.peer, round, message);
    }
    void clear() {
        if (!in.bytes().empty()) in.fill(std::byte{0});
    }
};

template <class L>
std::size_t ping_pong_errors(std::size_t n) {
    talker t{n};
    ping_pong pattern{L{t.on, t.at.peer}, t.at.who, t.out.first(n), t.in.first(n)};
    auto const prepare = [&](std::size_t round) {
        t.write(0, n, round);
        t.clear();
    };
    auto const verify = [&](std::size_t round) {
        return t.at.who == role::idle ? std::size_t{0} : t.wrong(0, n, round);
    };
    return check(t.all, pattern, prepare, verify, rounds);
}

/// Errors of a windowed pattern made by `make(talker, out, in)`, each message in a region of its own.
template <class Make>
std::size_t window_errors(std::size_t n, Make make, auto receives) {
    auto const stride = ranks::device_allocation::stride_of(n);
    talker t{window * stride};
    auto pattern = make(t, t.out.apart(n, window), t.in.apart(n, window));
    auto const prepare = [&](std::size_t round) {
        for (std::size_t w = 0; w != window; ++w) t.write(w * stride, n, round, w);
        t.clear();
    };
    auto const verify = [&](std::size_t round) {
        std::size_t errors = 0;
        for (std::size_t w = 0; receives(t.at.who) && w != window; ++w) errors += t.wrong(w * stride, n, round, w);
        return errors;
    };
    return check(t.all, pattern, prepare, verify, rounds);
}

std::string to(talker const& t, char const* call, int bytes) {
    return std::string{call} + ' ' + std::to_string(bytes) + ' ' + std::to_string(t.at.peer) + " 1";
}

using lines = std::vector<std::string>;

} // namespace

TEST_CASE_TEMPLATE("a ping-pong brings every byte over and back, whoever is idle", L, nccl::link<ranks::waits>,
                   nccl::enqueued_link<ranks::waits>) {
    for (auto const n : message_sizes) {
        auto const errors = ping_pong_errors<L>(n);
        CAPTURE(n);
        CHECK(errors == 0);
    }
}

TEST_CASE_TEMPLATE("a stream brings every message of its window to the responder, each to its own region", L,
                   nccl::link<ranks::waits>, nccl::enqueued_link<ranks::waits>) {
    auto const make = [](talker& t, opaque_rotating out, opaque_rotating in) {
        return stream{L{t.on, t.at.peer}, t.at.who, window, out, in, nccl::link{t.on, t.at.peer}, t.out.first(1)};
    };
    for (auto const n : message_sizes) {
        auto const errors = window_errors(n, make, [](role who) { return who == role::responder; });
        CAPTURE(n);
        CHECK(errors == 0);
    }
}

TEST_CASE_TEMPLATE("a bidirectional exchange brings every message of both windows over", L, nccl::link<ranks::waits>,
                   nccl::enqueued_link<ranks::waits>) {
    auto const make = [](talker& t, opaque_rotating out, opaque_rotating in) {
        return bidirectional{L{t.on, t.at.peer}, t.at.who, window, out, in};
    };
    for (auto const n : message_sizes) {
        auto const errors = window_errors(n, make, [](role who) { return who != role::idle; });
        CAPTURE(n);
        CHECK(errors == 0);
    }
}

TEST_CASE("what is enqueued has not come before it was completed; what a link received has") {
    talker t{100};
    t.write(0, 100, 0);
    t.clear();
    auto early = std::size_t{1}, late = std::size_t{0};
    nccl::enqueued_link peer{t.on, t.at.peer};
    auto from = peer.outgoing(t.out.first(100));
    auto into = peer.incoming(t.in.first(100));
    if (t.at.who == role::initiator) {
        peer.recv(into.next());
        std::vector<std::byte> now(100); // through another stream: the copies of read() wait for none of ours
        early = now == ranks::read<std::byte>(t.in, 100) ? 1 : 0;
    }
    t.all.barrier(); // the responder sends after this
    if (t.at.who == role::responder) peer.send(from.next());
    peer.complete();
    if (t.at.who == role::initiator) late = t.wrong(0, 100, 0);
    CHECK(application::everywhere(early == 1 && late == 0));
}

TEST_CASE("a window is one group; a link alone makes none") {
    talker t{1000};
    stream pattern{nccl::enqueued_link{t.on, t.at.peer}, t.at.who,      3, t.out.first(64), t.in.first(64),
                   nccl::link{t.on, t.at.peer},          t.out.first(1)};
    auto const first = t.at.who == role::initiator ? to(t, "ncclSend", 64) : to(t, "ncclRecv", 64);
    auto const last = t.at.who == role::initiator ? to(t, "ncclRecv", 1) : to(t, "ncclSend", 1);
    lines const expected{"ncclGroupStart", first, first, first, "ncclGroupEnd", last};
    auto const calls = ranks::nccl_calls([&] { pattern(), complete(pattern); });
    CHECK(application::everywhere(calls == (t.at.who == role::idle ? lines{} : expected)));
}

TEST_CASE("elements of a type, as many as fit or as asked for; more than fit are refused") {
    talker t{1000};
    auto const bytes = [&](nccl::elements as) {
        return nccl::link{t.on, t.at.peer, as}.outgoing(t.out.first(1000)).size();
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
    auto const sent = nccl::link{t.on, t.at.peer, {ncclDouble, 3}}.outgoing(t.out.first(1000)).next();
    CHECK(sent.count == 3);
    CHECK(sent.type == ncclDouble);
}

TEST_CASE("between two looks at the stream a program does what it wants") {
    talker t{8};
    auto looks = 0;
    // The responder sends after the initiator was found waiting.
    nccl::queue on{t.comm, t.stream, nccl::polling{[&] {
                       if (++looks == 1) t.all.barrier();
                   }}};
    nccl::link peer{on, t.at.peer};
    auto const m = peer.incoming(t.in.first(8)).next();
    if (t.at.who == role::initiator) peer.recv(m);
    else t.all.barrier();
    if (t.at.who == role::responder) nccl::link{t.on, t.at.peer}.send(m);
    CHECK(application::everywhere(t.at.who != role::initiator || looks > 0));
    CHECK(cudaPeekAtLastError() == cudaSuccess); // to be found waiting is no error
}

TEST_CASE("a program that waits by cudaStreamSynchronize asks for nothing else") {
    talker t{8};
    nccl::queue on{t.comm, t.stream, nccl::synchronizing{}};
    ping_pong pattern{nccl::link{on, t.at.peer}, t.at.who, t.out.first(8), t.in.first(8)};
    auto const before = fake::calls().size();
    pattern();
    auto const asked = fake::calls().size() - before; // a call and a wait for each message
    CHECK(application::everywhere(asked == (t.at.who == role::idle ? 0 : 4)));
}
