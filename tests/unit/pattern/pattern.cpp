// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <sonde/measure/beside.hpp>
#include <sonde/measure/compare.hpp>
#include <sonde/timeline/recorded.hpp>

#include <doctest/doctest.h>

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace unit;

namespace {

/// An iteration of 2 us and a completion of 5 us, of a responder with traffic.
struct responder_pattern {
    sonde::sim::manual_clock clock;
    sonde::role who = sonde::role::initiator;

    void operator()() const { clock.advance(2us); }
    void complete() const { clock.advance(5us); }
    sonde::role role() const { return who; }
    sonde::traffic traffic() const { return {10, 2, 3}; }
};

/// A pattern, and nonblocking operation, that has every hook and notes its calls.
struct recording_pattern {
    std::string* log;

    void operator()() const { *log += "unresolved "; }
    template <class F>
    void in_role(F f) const {
        *log += "role ";
        f([this] { *log += "i "; });
    }
    void complete() const { *log += "complete "; }
    void after_warmup() const { *log += "warm "; }
    void before_sample() const { *log += "before "; }
    void after_sample(auto, auto) const { *log += "sampled "; }
    sonde::role role() const { return role::responder; }
    sonde::traffic traffic() const { return {10, 2, 3, 1.75}; }
    void start() const { *log += "start "; }
    bool test() const { return true; }
    void wait() const { *log += "finish "; }
};

/// A pattern of an idle rank: its role has no iteration.
struct idle_pattern {
    void operator()() const { FAIL("an iteration of an idle rank"); }
    void in_role(auto) const {}
};

/// The calls of the wrapped pattern when a batch of two runs after a warm-up, and the adaptor's properties.
struct observed {
    std::string hooks;
    sonde::role who;
    sonde::traffic moved;
};

template <class Adapt>
observed heard_through(Adapt adapt) {
    std::string log;
    auto pattern = adapt(recording_pattern{&log});
    sonde::after_warmup(pattern);
    sonde::before_sample(pattern);
    sonde::steady_clock clock;
    auto const sample = sonde::detail::time_batch(clock, pattern, 2);
    sonde::after_sample(pattern, sample.begin, sample.end);
    return {log, sonde::role_of(pattern), sonde::traffic_of(pattern)};
}

} // namespace

TEST_CASE("every adaptor forwards every hook, and resolves the role once a batch") {
    struct expected {
        char const* adaptor;
        observed found;
        char const* hooks;
        std::size_t times; // factor of the pattern's traffic
    };
    auto const nothing = [] {};
    sonde::single_rank alone;
    sonde::timeline timeline;
    auto& track = timeline.add_track("main");
    std::vector<expected> const all{
        {"with_traffic", heard_through([](recording_pattern p) {
             return sonde::with_traffic{sonde::traffic{10, 2, 3, 1.75}, std::move(p)};
         }),
         "warm before role i i complete sampled ", 1},
        {"with_setup", heard_through([&](recording_pattern p) {
             return sonde::with_setup{nothing, std::move(p)};
         }),
         "warm before role i i complete sampled ", 1},
        {"repeat", heard_through([](recording_pattern p) {
             return sonde::repeat{3, std::move(p)};
         }),
         "warm before role i i i i i i complete sampled ", 3},
        {"overlapped", heard_through([&](recording_pattern p) {
             return sonde::overlapped{std::move(p), nothing};
         }),
         "warm before start finish start finish complete sampled ", 1},
        {"beside", heard_through([&](recording_pattern p) {
             return sonde::beside{alone, sonde::no_load{}, std::move(p)};
         }),
         "warm before role i i complete sampled ", 1},
        {"recorded", heard_through([&](recording_pattern p) {
             return sonde::recorded{track, "pattern", std::move(p)};
         }),
         "warm before role i i complete sampled ", 1},
        {"repeat of with_setup of with_traffic", heard_through([&](recording_pattern p) {
             return sonde::repeat{
                 2, sonde::with_setup{nothing, sonde::with_traffic{sonde::traffic{10, 2, 3, 1.75}, std::move(p)}}};
         }),
         "warm before role i i i i complete sampled ", 2}};
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

TEST_CASE_FIXTURE(one_rank, "each sample of a run and of a comparison is told to its pattern, with its readings") {
    struct told {
        std::vector<long long>* times;
        sonde::sim::manual_clock clock;
        void operator()() const { clock.advance(std::chrono::nanoseconds{10 + static_cast<long long>(times->size())}); }
        void after_sample(sonde::sim::picoseconds begin, sonde::sim::picoseconds end) const {
            times->push_back(ns(end - begin));
        }
    };
    std::vector<long long> in_run, base, other;
    (void)sonde::run(group, plan(3).warmup(2), told{&in_run, clock});
    CHECK(in_run == std::vector<long long>{10, 11, 12});
    (void)sonde::run(group, plan(1).agree_on_errors(), told{&in_run, clock});
    CHECK(in_run.back() == 13);
    (void)sonde::compare(group, plan(2), told{&base, clock}, sonde::with_setup{[] {}, told{&other, clock}});
    CHECK(base == std::vector<long long>{10, 11});
    CHECK(other == base);
}

TEST_CASE("an idle rank makes no iteration in an adaptor, either") {
    sonde::repeat pattern{3, sonde::with_setup{[] { FAIL("before an iteration of an idle rank"); }, idle_pattern{}}};
    sonde::in_role(pattern, [](auto&& iteration) { iteration(); });
}

TEST_CASE_FIXTURE(one_rank, "compare calls after_warmup once for each alternative, before its samples") {
    struct counting {
        std::string* log;
        void operator()() const { *log += "i"; }
        void after_warmup() const { *log += "w"; }
    };
    std::string base, other;
    auto const found =
        sonde::compare(group, plan(2).warmup(3), counting{&base}, sonde::with_setup{[] {}, counting{&other}});
    CHECK(found.records.size() == 2);
    CHECK(base == "iiiwii");
    CHECK(other == "iiiwii");
}

TEST_CASE_FIXTURE(one_rank, "with_traffic: sets the traffic of a pattern, and leaves its time unchanged") {
    auto const r =
        sonde::run(group, plan(2), sonde::with_traffic({.bytes = 4096, .messages = 4}, [&] { clock.advance(2us); }));
    CHECK(r.total.bytes == 4096);
    CHECK(r.total.messages == 4);
    CHECK(r.total.hops == 1);
    CHECK(ns(r.series) == std::vector<long long>{2000, 2000});
}

TEST_CASE_FIXTURE(one_rank, "with_traffic: bytes accept sizeof and size() without a conversion") {
    std::vector<double> const halo(100);
    auto const r = sonde::run(group, plan(2), sonde::with_traffic({.bytes = halo.size() * sizeof(double)}, [] {}));
    CHECK(r.total.bytes == 800);
    static_assert(std::same_as<decltype(r.total.bytes), std::size_t>);
    static_assert(std::same_as<decltype(r.total.messages), std::size_t>);
}

TEST_CASE_FIXTURE(one_rank,
                  "with_traffic: the pattern's own traffic is replaced; role and completion are the pattern's") {
    sonde::with_traffic pattern{{.bytes = 1}, responder_pattern{clock}};
    auto const r = sonde::run(group, plan(2), pattern);
    CHECK(r.total.bytes == 1);
    CHECK(r.total.messages == 0);
    CHECK(ns(r.series) == std::vector<long long>{7000, 7000});
    CHECK(sonde::role_of(sonde::with_traffic{{}, responder_pattern{clock, role::idle}}) == role::idle);
}

TEST_CASE_FIXTURE(one_rank, "with_setup: runs first in every iteration, inside the sample") {
    std::vector<char> order;
    auto const touch = [&] {
        order.push_back('t');
        clock.advance(1us);
    };
    auto const move = [&] {
        order.push_back('m');
        clock.advance(2us);
    };
    auto const r = sonde::run(group, plan(1).batch(2), sonde::with_setup{touch, move});
    CHECK(order == std::vector<char>{'t', 'm', 't', 'm'});
    CHECK(ns(r.series) == std::vector<long long>{3000});
}

TEST_CASE_FIXTURE(one_rank, "with_setup: traffic, role and completion are the pattern's") {
    auto const r = sonde::run(group, plan(1), sonde::with_setup{[&] { clock.advance(1us); }, responder_pattern{clock}});
    CHECK(r.total.bytes == 10);
    CHECK(r.total.messages == 2);
    CHECK(r.total.hops == 3);
    CHECK(ns(r.series) == std::vector<long long>{8000});
    CHECK(sonde::role_of(sonde::with_setup{[] {}, responder_pattern{clock, role::responder}}) == role::responder);
}

TEST_CASE_FIXTURE(one_rank, "repeat: n iterations as one, completed once; traffic and hops n times") {
    auto const r = sonde::run(group, plan(2), sonde::repeat{3, responder_pattern{clock}});
    CHECK(ns(r.series) == std::vector<long long>{11'000, 11'000});
    CHECK(r.total.bytes == 30);
    CHECK(r.total.messages == 6);
    CHECK(r.total.hops == 9);
    CHECK(sonde::role_of(sonde::repeat{3, responder_pattern{clock, role::responder}}) == role::responder);
}

TEST_CASE("repeat: 0 iterations are refused") {
    CHECK_THROWS_AS(sonde::repeat(0, [] {}), std::invalid_argument);
}

TEST_CASE("a lambda is a pattern: an initiator without traffic, with one hop, and no completion") {
    auto pattern = [] {};
    CHECK(sonde::role_of(pattern) == role::initiator);
    CHECK(sonde::traffic_of(pattern).bytes == 0);
    CHECK(sonde::traffic_of(pattern).messages == 0);
    CHECK(sonde::traffic_of(pattern).hops == 1);
    sonde::complete(pattern);
}

namespace {

/// A pattern, and nonblocking operation, that counts its iterations in itself, and cannot be copied.
struct counting_owner {
    int n = 0;

    counting_owner() = default;
    counting_owner(counting_owner&&) = default;
    void operator()() { ++n; }
    void start() { ++n; }
    bool test() { return true; }
    void wait() {}
};

} // namespace

TEST_CASE_FIXTURE(one_rank, "every adaptor refers to a variable, whose state changes, and keeps a temporary") {
    sonde::timeline timeline;
    auto& track = timeline.add_track("main");
    auto const adapted = [&](auto adapt) {
        counting_owner own;
        auto referring = adapt(own);
        (void)sonde::run(group, plan(3), referring);
        auto keeping = adapt(counting_owner{});
        static_assert(!std::is_copy_constructible_v<decltype(keeping)>);
        (void)sonde::run(group, plan(3), std::move(keeping));
        return own.n;
    };
    CHECK(adapted([](auto&& p) { return sonde::with_traffic{{.bytes = 1}, std::forward<decltype(p)>(p)}; }) == 3);
    CHECK(adapted([](auto&& p) { return sonde::with_setup{[] {}, std::forward<decltype(p)>(p)}; }) == 3);
    CHECK(adapted([](auto&& p) { return sonde::repeat{2, std::forward<decltype(p)>(p)}; }) == 6);
    CHECK(adapted([](auto&& p) { return sonde::without_completion{std::forward<decltype(p)>(p)}; }) == 3);
    CHECK(adapted([](auto&& p) { return sonde::named{"n", std::forward<decltype(p)>(p)}; }) == 3);
    CHECK(adapted([](auto&& p) { return sonde::named{sonde::point{"n", {}}, std::forward<decltype(p)>(p)}; }) == 3);
    CHECK(adapted([&](auto&& p) { return sonde::recorded{track, "r", std::forward<decltype(p)>(p)}; }) == 3);
    CHECK(adapted([](auto&& p) { return sonde::overlapped{std::forward<decltype(p)>(p), [] {}}; }) == 3);
    CHECK(adapted([](auto&& p) {
              return sonde::repeat{2, sonde::with_traffic{{.bytes = 1}, std::forward<decltype(p)>(p)}};
          }) == 6);
}

TEST_CASE_FIXTURE(one_rank, "before and overlapped refer to the other callables, too, if they are variables") {
    int calls = 0;
    struct counter {
        int n = 0;
        void operator()() { ++n; }
    } first, work;
    (void)sonde::run(group, plan(3), sonde::with_setup{first, [&] { ++calls; }});
    CHECK(first.n == 3);
    (void)sonde::run(group, plan(2), sonde::overlapped{counting_owner{}, work});
    CHECK(work.n == 2);
}
