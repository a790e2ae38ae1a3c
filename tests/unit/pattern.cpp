// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <sonde/compare.hpp>

#include <doctest/doctest.h>

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
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

/// A pattern, and a split communication, that has every hook and notes which of them is called.
struct noting {
    std::string* said;

    void operator()() const { *said += "unresolved "; }
    template <class F>
    void in_role(F f) const {
        *said += "role ";
        f([this] { *said += "i "; });
    }
    void complete() const { *said += "complete "; }
    void after_warmup() const { *said += "warm "; }
    role plays() const { return role::responder; }
    sonde::traffic moves() const { return {10, 2, 3, 1.75}; }
    void start() const { *said += "start "; }
    bool test() const { return true; }
    void wait() const { *said += "finish "; }
};

/// A pattern of an idle rank: there is no iteration in its role.
struct idle_pattern {
    void operator()() const { FAIL("an iteration of an idle rank"); }
    void in_role(auto) const {}
};

/// What the wrapped pattern is told when a batch of two is run after a warm-up, and what the adaptor says.
struct heard {
    std::string hooks;
    role who;
    sonde::traffic moved;
};

template <class Adapt>
heard heard_through(Adapt adapt) {
    std::string said;
    auto pattern = adapt(noting{&said});
    sonde::after_warmup(pattern);
    sonde::steady_clock clock;
    sonde::detail::time_batch(clock, pattern, 2);
    return {said, sonde::plays(pattern), sonde::moves(pattern)};
}

} // namespace

TEST_CASE("every adaptor forwards every hook, and resolves the role once a batch") {
    struct expected {
        char const* adaptor;
        heard found;
        char const* hooks;
        std::size_t times; // as much traffic as the pattern
    };
    auto const nothing = [] {};
    std::vector<expected> const all{
        {"moving", heard_through([](noting p) {
             return sonde::moving{sonde::traffic{10, 2, 3, 1.75}, p};
         }),
         "warm role i i complete ", 1},
        {"before", heard_through([&](noting p) {
             return sonde::before{nothing, p};
         }),
         "warm role i i complete ", 1},
        {"repeat", heard_through([](noting p) {
             return sonde::repeat{3, p};
         }),
         "warm role i i i i i i complete ", 3},
        {"overlapped", heard_through([&](noting p) {
             return sonde::overlapped{p, nothing};
         }),
         "warm start finish start finish complete ", 1},
        {"repeat of before of moving", heard_through([&](noting p) {
             return sonde::repeat{2, sonde::before{nothing, sonde::moving{sonde::traffic{10, 2, 3, 1.75}, p}}};
         }),
         "warm role i i i i complete ", 2}};
    for (auto const& one : all) {
        CAPTURE(one.adaptor);
        CHECK(one.found.hooks == one.hooks);
        CHECK(one.found.who == role::responder);
        CHECK(one.found.moved.bytes == 10 * one.times);
        CHECK(one.found.moved.messages == 2 * one.times);
        CHECK(one.found.moved.hops == 3 * static_cast<double>(one.times));
        CHECK(one.found.moved.bus_factor == 1.75);
    }
}

TEST_CASE("an idle rank makes no iteration in an adaptor, either") {
    sonde::repeat pattern{3, sonde::before{[] { FAIL("before an iteration of an idle rank"); }, idle_pattern{}}};
    sonde::in_role(pattern, [](auto&& iteration) { iteration(); });
}

TEST_CASE_FIXTURE(alone, "compare tells each alternative once that it is warmed up, before its samples") {
    struct counting {
        std::string* said;
        void operator()() const { *said += "i"; }
        void after_warmup() const { *said += "w"; }
    };
    std::string base, other;
    auto const found =
        sonde::compare(group, plan(2).warmup(3), counting{&base}, sonde::before{[] {}, counting{&other}});
    CHECK(found.records.size() == 2);
    CHECK(base == "iiiwii");
    CHECK(other == "iiiwii");
}

TEST_CASE_FIXTURE(alone, "moving: says what a pattern moves, and leaves its time as it is") {
    auto const r =
        sonde::run(group, plan(2), sonde::moving({.bytes = 4096, .messages = 4}, [&] { clock.advance(2us); }));
    CHECK(r.total.bytes == 4096);
    CHECK(r.total.messages == 4);
    CHECK(r.total.hops == 1);
    CHECK(ns(r.series) == std::vector<long long>{2000, 2000});
}

TEST_CASE_FIXTURE(alone, "moving: bytes are what sizeof and size() say, without a conversion") {
    std::vector<double> const halo(100);
    auto const r = sonde::run(group, plan(2), sonde::moving({.bytes = halo.size() * sizeof(double)}, [] {}));
    CHECK(r.total.bytes == 800);
    static_assert(std::same_as<decltype(r.total.bytes), std::size_t>);
    static_assert(std::same_as<decltype(r.total.messages), std::size_t>);
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
    CHECK(r.total.hops == 3);
    CHECK(ns(r.series) == std::vector<long long>{8000});
    CHECK(sonde::plays(sonde::before{[] {}, whole{clock, role::responder}}) == role::responder);
}

TEST_CASE_FIXTURE(alone, "repeat: n iterations as one, completed once; traffic and hops n times") {
    auto const r = sonde::run(group, plan(2), sonde::repeat{3, whole{clock}});
    CHECK(ns(r.series) == std::vector<long long>{11'000, 11'000});
    CHECK(r.total.bytes == 30);
    CHECK(r.total.messages == 6);
    CHECK(r.total.hops == 9);
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
    CHECK(sonde::moves(pattern).hops == 1);
    sonde::complete(pattern);
}
