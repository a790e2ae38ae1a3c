// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

using namespace unit;

namespace {

using text = std::string;

template <class Side>
char side_name() {
    if constexpr (Side::accesses && Side::exposes) return 'b';
    else if constexpr (Side::accesses) return 'o';
    else if constexpr (Side::exposes) return 't';
    else return '-';
}

/// Writes "(o" for an epoch opened as origin, "o)" for one closed.
struct written_epoch {
    text* to;
    template <class S>
    void open(S) const {
        *to += '(';
        *to += side_name<S>();
    }
    template <class S>
    void close(S) const {
        *to += side_name<S>();
        *to += ')';
    }
};
/// With close_and_open: "o|t".
struct reopening_epoch : written_epoch {
    explicit reopening_epoch(text* written_to) : written_epoch{written_to} {}
    template <class From, class To>
    void close_and_open(From, To) const {
        *to += side_name<From>();
        *to += '|';
        *to += side_name<To>();
    }
};

/// Writes the number of each transfer, ";" for wait_all, and the argument of reserve.
struct written_transfer {
    text* to;
    std::size_t room = 9;
    void operator()(std::size_t i) const { *to += std::to_string(i); }
    void wait_all() const { *to += ';'; }
    void reserve(std::size_t n) const {
        *to += '<';
        *to += std::to_string(n);
        *to += '>';
    }
    std::size_t capacity() const { return room; }
    sonde::traffic traffic() const { return {100, 2, 1}; }
};

struct without_target : written_transfer {
    bool has_target() const { return false; }
};

constexpr role initiator = role::initiator, responder = role::responder, idle = role::idle;

/// The text of one iteration of make(epoch, transfer) -> pattern.
template <class E, class Make>
text written(Make make) {
    text all;
    auto pattern = make(E{&all}, written_transfer{&all});
    pattern();
    return all;
}
template <class E = written_epoch>
text one_way(role who) {
    return written<E>([who](auto e, auto t) { return sonde::rma{e, who, 2, t}; });
}
template <class E = written_epoch>
text ping_pong(role who) {
    return written<E>([who](auto e, auto t) { return sonde::rma_ping_pong{e, who, 2, t}; });
}
template <class E = written_epoch>
text exchange(role who) {
    return written<E>([who](auto e, auto t) { return sonde::rma_exchange{e, who, 2, t}; });
}

} // namespace

TEST_CASE(
    "rma: an origin opens, transfers, waits and closes; its target opens and closes; an idle rank is on neither side") {
    CHECK(one_way(initiator) == "<2>(o01;o)");
    CHECK(one_way(responder) == "(tt)");
    CHECK(one_way(idle) == "(--)");
    CHECK(one_way<reopening_epoch>(initiator) == "<2>(o01;o)");
}

TEST_CASE("rma_ping_pong: an epoch as origin and one as target, in opposite order on the other side") {
    CHECK(ping_pong(initiator) == "<2>(o01;o)(tt)");
    CHECK(ping_pong(responder) == "<2>(tt)(o01;o)");
    CHECK(ping_pong(idle) == "(--)(--)");
}

TEST_CASE("rma_ping_pong: an epoch with close_and_open gets one call for both") {
    CHECK(ping_pong<reopening_epoch>(initiator) == "<2>(o01;o|tt)");
    CHECK(ping_pong<reopening_epoch>(responder) == "<2>(tt|o01;o)");
    CHECK(ping_pong<reopening_epoch>(idle) == "(--|--)");
}

TEST_CASE("rma_exchange: both sides access and expose at once") {
    CHECK(exchange(initiator) == "<2>(b01;b)");
    CHECK(exchange(responder) == "<2>(b01;b)");
    CHECK(exchange(idle) == "(--)");
}

TEST_CASE("rma patterns: a batch repeats the iteration of the rank's role") {
    one_rank self;
    for (auto const who : {initiator, responder, idle}) {
        text all;
        sonde::rma pattern{written_epoch{&all}, who, 1, written_transfer{&all}};
        all.clear();
        sonde::detail::time_batch(self.clock, pattern, 3);
        text const once = who == initiator ? "(o0;o)" : who == responder ? "(tt)" : "(--)";
        CHECK(all == once + once + once);
    }
}

TEST_CASE("rma patterns: traffic counts the transfers of one direction or both") {
    text all;
    written_epoch const e{&all};
    written_transfer const t{&all}; // 100 bytes in two messages
    auto const is = [](sonde::traffic m, std::size_t bytes, std::size_t messages, double hops) {
        return m.bytes == bytes && m.messages == messages && m.hops == hops;
    };
    CHECK(is(sonde::rma{e, initiator, 3, t}.traffic(), 300, 6, 1));
    CHECK(is(sonde::rma_ping_pong{e, initiator, 3, t}.traffic(), 600, 12, 2));
    CHECK(is(sonde::rma_exchange{e, initiator, 3, t}.traffic(), 600, 12, 1));
    CHECK(is(sonde::rma_exchange{e, initiator, 3, t, sonde::directions::sent}.traffic(), 300, 6, 1));
    CHECK(sonde::rma{e, responder, 3, t}.role() == responder);
}

TEST_CASE("rma patterns: a rank that has transfers needs a target, whatever adaptor the pattern is in") {
    text all;
    written_epoch const e{&all};
    without_target const none{{&all}};
    auto const requires_target = [](auto pattern) {
        CHECK_NOTHROW(static_cast<void>(pattern.traffic()));
        auto const of_inner = [&] { return sonde::requirements_of(sonde::with_traffic{{.bytes = 1}, pattern}); };
        auto const* const why = pattern.role() == initiator ? "sonde::rma: an initiator's transfers have no target"
                                                            : "sonde::rma: a responder's transfers have no target";
        CHECK_THROWS_WITH_AS(of_inner(), why, std::invalid_argument);
        CHECK_THROWS_WITH_AS(pattern.requirements(), why, std::invalid_argument);
    };
    for (auto const who : {initiator, responder}) {
        requires_target(sonde::rma_ping_pong{e, who, 1, none});
        requires_target(sonde::rma_exchange{e, who, 1, none});
    }
    requires_target(sonde::rma{e, initiator, 1, none});
    for (auto const who : {responder, idle}) CHECK_NOTHROW((sonde::rma{e, who, 1, none}.requirements()));
    CHECK_NOTHROW((sonde::rma_ping_pong{e, idle, 1, none}.requirements()));
    CHECK_NOTHROW((sonde::rma_exchange{e, idle, 1, none}.requirements()));
    CHECK_NOTHROW((sonde::rma_exchange{e, initiator, 1, written_transfer{&all}}.requirements()));
}

TEST_CASE("rma patterns: 0 transfers are refused on all ranks, more than the capacity on the origin") {
    text all;
    written_epoch const e{&all};
    auto const room_for = [&](std::size_t n) { return written_transfer{&all, n}; };
    for (auto const who : {initiator, responder, idle})
        CHECK_THROWS_WITH_AS((sonde::rma{e, who, 0, room_for(9)}), "sonde::rma: an epoch needs at least one transfer",
                             std::invalid_argument);
    CHECK_NOTHROW((sonde::rma{e, initiator, 9, room_for(9)}));
    CHECK_THROWS_WITH_AS(
        (sonde::rma{e, initiator, 10, room_for(9)}),
        "sonde::rma: the window or a buffer has room for 9 transfers of 100 bytes that do not overlap, not "
        "for 10",
        std::length_error);
    CHECK_THROWS_WITH_AS(
        (sonde::rma{e, initiator, 1, room_for(0)}),
        "sonde::rma: the window or a buffer has room for 0 transfers of 100 bytes that do not overlap, not "
        "for 1",
        std::length_error);
    CHECK_THROWS_AS((sonde::rma_ping_pong{e, initiator, 10, room_for(9)}), std::length_error);
    CHECK_THROWS_AS((sonde::rma_ping_pong{e, responder, 10, room_for(9)}), std::length_error);
    CHECK_THROWS_AS((sonde::rma_exchange{e, responder, 10, room_for(9)}), std::length_error);
    CHECK_NOTHROW((sonde::rma{e, responder, 10, room_for(9)})); // a target starts none
    CHECK_NOTHROW((sonde::rma_ping_pong{e, idle, 10, room_for(0)}));
    CHECK_NOTHROW((sonde::rma_exchange{e, idle, 10, room_for(0)}));
}
