// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

using namespace unit;
using sonde::overlapped;

namespace {

/// A communication that notes its calls; a test is true after a fixed number of tests.
struct recording_operation {
    std::string* log;
    int over_after = 1000;
    int tests = 0;

    void start() { *log += "start "; }
    bool test() {
        *log += "test ";
        return ++tests == over_after;
    }
    void wait() { *log += "finish "; }
    void operator()() {
        start();
        wait();
    }
    void complete() { *log += "complete "; }
    sonde::role role() const { return role::responder; }
    sonde::traffic traffic() const { return {8, 2, 3, 0.5}; }
};

/// A nonblocking operation with parts of known times.
struct parts {
    sonde::sim::manual_clock clock;
    std::chrono::nanoseconds post, test_cost, wait_cost;

    void start() const { clock.advance(post); }
    bool test() const {
        clock.advance(test_cost);
        return false;
    }
    void wait() const { clock.advance(wait_cost); }
    void operator()() const {
        start();
        wait();
    }
};

} // namespace

TEST_CASE("overlapped: an iteration is start, work, wait; also if a test was true") {
    std::string log;
    overlapped plain{recording_operation{&log}, [&] { log += "work "; }};
    plain();
    CHECK(log == "start work finish ");
    log.clear();
    overlapped testing{recording_operation{&log, 2}, [&](auto& test) {
                           while (!test()) log += "work ";
                       }};
    testing();
    CHECK(log == "start test work test finish ");
}

TEST_CASE("overlapped: role, traffic and completion are the communication's") {
    std::string log;
    overlapped both{recording_operation{&log}, [] {}};
    CHECK(sonde::role_of(both) == role::responder);
    CHECK(sonde::traffic_of(both).bytes == 8);
    CHECK(sonde::traffic_of(both).messages == 2);
    CHECK(sonde::traffic_of(both).hops == 3);
    CHECK(sonde::traffic_of(both).bus_factor == 0.5);
    sonde::complete(both);
    CHECK(log == "complete ");
}

TEST_CASE("overlapped: references use the caller's objects") {
    std::string log;
    recording_operation split{&log};
    auto work = [n = 0](auto& test) mutable { return test(), ++n; };
    overlapped<recording_operation&, decltype(work)&> both{split, work};
    both();
    both();
    CHECK(split.tests == 2);
    sonde::no_test none;
    CHECK(work(none) == 3);
}

TEST_CASE_FIXTURE(one_rank,
                  "phase_timer: the time of each part, with work and its tests apart; their sum is the iteration") {
    sonde::phase_timer<sonde::sim::manual_clock> found{clock};
    auto work = [&](auto& test) {
        clock.advance(100ns);
        test();
        clock.advance(200ns);
        test();
        clock.advance(400ns);
    };
    overlapped<parts, decltype(work)&, decltype(found)&> both{{clock, 7ns, 30ns, 5000ns}, work, found};
    auto const r = sonde::run(group, plan(3), both);
    auto const means = found.means();
    CHECK(found.iterations() == 3);
    CHECK(ns(means.post) == 7);
    CHECK(ns(means.work) == 700);
    CHECK(ns(means.test) == 60);
    CHECK(ns(means.wait) == 5000);
    CHECK(ns(means.post + means.work + means.test + means.wait) == ns(r.over_ranks.mean));
}

TEST_CASE_FIXTURE(one_rank, "phase_timer: times before a reset do not count, nor those between two iterations") {
    sonde::phase_timer<sonde::sim::manual_clock> found{clock};
    auto work = [&, i = 0]() mutable { clock.advance(++i <= 4 ? 1ms : 10ns * i); };
    overlapped<parts, decltype(work)&, decltype(found)&> both{{clock, 0ns, 0ns, 0ns}, work, found};
    for (int i = 0; i != 4; ++i) both();
    sonde::after_warmup(both);
    CHECK(found.iterations() == 0);
    CHECK(ns(found.means().work) == 0);
    for (int i = 0; i != 2; ++i) {
        both();
        clock.advance(1s);
    }
    CHECK(found.iterations() == 2);
    CHECK(ns(found.means().work) == 55);
    CHECK(ns(found.means().post) == 0);
}

TEST_CASE_FIXTURE(one_rank, "without phase_timer the clock is not read between parts") {
    auto const work = [](auto& test) { test(); };
    (void)sonde::run(group, plan(5), overlapped{parts{clock, 1ns, 1ns, 1ns}, work});
    CHECK(time.reads == 2 * 5);
}

TEST_CASE_FIXTURE(one_rank, "phases are those of samples, for any warm-up and batch of the plan") {
    time.properties = {{}, sonde::seconds{100ns}, {}};
    parts split{clock, 100ns, 0ns, 900ns};
    int i = 0;
    auto work = [&] { clock.advance(i++ < 31 ? 1ms : 2us); };
    auto const warmed = plan(47).warmup(200).warmup(sonde::until_stable{0.05, 1s}).batch(sonde::by_timer);
    auto const found = sonde::measure_overlap(group, warmed, split, work, {}, sonde::overlap_timing::phases);
    CHECK(ns(found.phases->post) == 100);
    CHECK(ns(found.phases->wait) == 900);
    CHECK(ns(found.phases->work) == 2000);
}

namespace {

/// A message in partitions in virtual time: a test makes the next one ready. A partition takes 1 us on the link, from
/// when it is ready and the one before has arrived; or, of a library that waits for all, from when all are ready.
struct partitions_in_time {
    sonde::sim::manual_clock clock;
    int partitions;
    bool is_early;
    int ready = 0;
    sonde::sim::picoseconds arrived{};

    void start() { ready = 0; }
    bool test() {
        if (ready == partitions) return false;
        ++ready;
        if (is_early || ready == partitions)
            arrived = std::max(arrived, clock.now()) + (is_early ? 1 : partitions) * 1us;
        return false;
    }
    void wait() {
        while (ready != partitions) test();
        clock.advance(arrived - clock.now());
    }
    void operator()() {
        start();
        wait();
    }
};

} // namespace

TEST_CASE_FIXTURE(one_rank, "the early-bird share: all partitions but the last are hidden, or none of a library that "
                            "waits for all") {
    for (auto const partitions : {1, 4, 8})
        for (auto const is_early : {true, false}) {
            partitions_in_time message{clock, partitions, is_early};
            auto const unit = [&](std::size_t n) { clock.advance(static_cast<int>(n) * 1ns); };
            sonde::calibrated_work work{static_cast<std::size_t>(partitions), unit, clock};
            auto const found = sonde::measure_overlap(group, plan(3), message, work, {}, sonde::overlap_timing::whole);
            auto const hidden = is_early ? 1 - 1.0 / partitions : 0;
            CAPTURE(partitions);
            CHECK(ns(sonde::median(found.communication)) == 1000 * partitions);
            CHECK(sonde::overlap(found) == doctest::Approx(hidden).epsilon(0.01));
        }
}
