// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

using namespace unit;

namespace {

/// An iteration of 2 us and a completion of 5 us, played by a responder who moves something.
struct whole {
    sonde::sim::manual_clock clock;
    role who = role::initiator;

    void operator()() const { clock.advance(2us); }
    void complete() const { clock.advance(5us); }
    role plays() const { return who; }
    sonde::traffic moves() const { return {10, 2, 3}; }
};

} // namespace

TEST_CASE_FIXTURE(alone, "moving: says what a pattern moves, and leaves its time as it is") {
    auto const r =
        sonde::run(group, plan(2), sonde::moving({.bytes = 4096, .messages = 4}, [&] { clock.advance(2us); }));
    CHECK(r.total.bytes == 4096);
    CHECK(r.total.messages == 4);
    CHECK(r.total.legs == 1);
    CHECK(ns(r.series) == std::vector<long long>{2000, 2000});
}

TEST_CASE_FIXTURE(alone, "moving: what a pattern says of itself is replaced; role and completion are the pattern's") {
    sonde::moving pattern{{.bytes = 1}, whole{clock}};
    auto const r = sonde::run(group, plan(2), pattern);
    CHECK(r.total.bytes == 1);
    CHECK(r.total.messages == 0);
    CHECK(ns(r.series) == std::vector<long long>{7000, 7000});
    CHECK(sonde::plays(sonde::moving{{}, whole{clock, role::idle}}) == role::idle);
}

TEST_CASE_FIXTURE(alone, "before: comes first in every iteration, inside the sample") {
    std::vector<char> order;
    auto const touch = [&] {
        order.push_back('t');
        clock.advance(1us);
    };
    auto const move = [&] {
        order.push_back('m');
        clock.advance(2us);
    };
    auto const r = sonde::run(group, plan(1).batch(2), sonde::before{touch, move});
    CHECK(order == std::vector<char>{'t', 'm', 't', 'm'});
    CHECK(ns(r.series) == std::vector<long long>{3000});
}

TEST_CASE_FIXTURE(alone, "before: traffic, role and completion are the pattern's") {
    auto const r = sonde::run(group, plan(1), sonde::before{[&] { clock.advance(1us); }, whole{clock}});
    CHECK(r.total.bytes == 10);
    CHECK(r.total.messages == 2);
    CHECK(r.total.legs == 3);
    CHECK(ns(r.series) == std::vector<long long>{8000});
    CHECK(sonde::plays(sonde::before{[] {}, whole{clock, role::responder}}) == role::responder);
}

TEST_CASE_FIXTURE(alone, "repeat: n iterations as one, completed once; traffic and legs n times") {
    auto const r = sonde::run(group, plan(2), sonde::repeat{3, whole{clock}});
    CHECK(ns(r.series) == std::vector<long long>{11'000, 11'000});
    CHECK(r.total.bytes == 30);
    CHECK(r.total.messages == 6);
    CHECK(r.total.legs == 9);
    CHECK(sonde::plays(sonde::repeat{3, whole{clock, role::responder}}) == role::responder);
}

TEST_CASE("repeat: no iteration is refused") {
    CHECK_THROWS_AS(sonde::repeat(0, [] {}), std::invalid_argument);
}

TEST_CASE("a lambda is a pattern: an initiator that moves nothing, in one leg, and has nothing to complete") {
    auto pattern = [] {};
    CHECK(sonde::plays(pattern) == role::initiator);
    CHECK(sonde::moves(pattern).bytes == 0);
    CHECK(sonde::moves(pattern).messages == 0);
    CHECK(sonde::moves(pattern).legs == 1);
    sonde::complete(pattern);
}
