// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace unit;

namespace {

/// An exchange that begins in one function and ends in another, as with MPI_Startall and MPI_Waitall.
struct split_exchange : one_rank {
    probe_of_time probe{clock};
    scope_of_time& exchange = probe.scope("exchange");
    scope_of_time::pass pass{};

    void start() {
        pass = exchange.enter();
        clock.advance(1us);
    }
    void finish() {
        clock.advance(3us);
        pass.end();
    }
    std::vector<sonde::scope_record> found() {
        sonde::single_rank one;
        return sonde::collect(one, probe);
    }
};

/// An exchange that begins in one function of the application and ends in another.
class halo_exchange {
public:
    explicit halo_exchange(sonde::probe& probe) : halo_{probe.scope("halo")} {}

    void start() {
        pass_ = halo_.enter();
        // MPI_Startall(...);
    }
    void finish() {
        // MPI_Waitall(...);
        pass_.end();
    }

private:
    sonde::probe_scope& halo_;
    sonde::probe_scope::pass pass_; // no pass yet
};

// Phases of a program in the style of C: free functions, and what they share at namespace scope.
sonde::sim::virtual_time output_time;
sonde::sim::manual_clock output_clock{output_time};
probe_of_time output_probe{output_clock};
scope_of_time::pass output_pass;

void begin_output() { output_pass = output_probe.scope("output").enter(); }
void end_output() { output_pass.end(); }

} // namespace

TEST_CASE_FIXTURE(split_exchange, "probe: a pass begins in one function and ends in another, at two readings") {
    auto const before = clock.reads();
    for (int step = 0; step != 3; ++step) {
        start();
        clock.advance(10us); // computes meanwhile
        finish();
    }
    CHECK(clock.reads() - before == 6);
    auto const r = found().at(0);
    CHECK(r.times.count() == 3);
    CHECK(ns(r.times.sum()) == 3 * 14'000);
    CHECK(ns(r.times.max()) == 14'000);
}

TEST_CASE_FIXTURE(split_exchange, "probe: the end of a pass that has not begun, or has ended, is refused") {
    CHECK_THROWS_AS(pass.end(), std::logic_error);
    start();
    finish();
    CHECK_THROWS_WITH_AS(pass.end(), "sonde::probe: a pass ends that has not begun, or has ended before",
                         std::logic_error);
    CHECK(found().at(0).times.count() == 1);
}

TEST_CASE_FIXTURE(split_exchange, "probe: a begin before the end is refused; the first pass goes on") {
    start();
    CHECK_THROWS_WITH_AS(start(), "sonde::probe: a pass begins before the previous one ends: exchange",
                         std::logic_error);
    CHECK(pass.active());
    clock.advance(5us);
    finish();
    auto const r = found().at(0);
    CHECK(r.times.count() == 1);
    CHECK(ns(r.times.sum()) == 1000 + 5000 + 3000);
}

TEST_CASE_FIXTURE(split_exchange, "probe: an exception between begin and end leaves the pass active; it can be ended") {
    start();
    CHECK_THROWS_AS(
        [&] {
            clock.advance(2us);
            throw std::domain_error{"the application's"};
        }(),
        std::domain_error);
    CHECK(found().at(0).times.count() == 0);
    if (pass.active()) pass.end();
    CHECK_FALSE(pass.active());
    start();
    finish();
    CHECK(found().at(0).times.count() == 2);
    CHECK(ns(found().at(0).times.sum()) == 3000 + 4000);
}

TEST_CASE_FIXTURE(split_exchange,
                  "probe: an active pass ends with its owner, and a pass that was moved from does not") {
    {
        auto first = exchange.enter();
        clock.advance(2us);
        auto second = std::move(first);
        CHECK_FALSE(first.active()); // NOLINT(bugprone-use-after-move)
        clock.advance(1us);
    }
    CHECK(found().at(0).times.count() == 1);
    CHECK(ns(found().at(0).times.sum()) == 3000);
    CHECK_THROWS_AS(scope_of_time::pass{}.end(), std::logic_error);
}

TEST_CASE_FIXTURE(split_exchange, "probe: several passes of a scope at once count each; so do phases that overlap") {
    auto& compute = probe.scope("compute");
    std::array<scope_of_time::pass, 2> requests;
    requests[0] = exchange.enter();
    clock.advance(1us);
    requests[1] = exchange.enter();
    auto work = compute.enter();
    clock.advance(10us);
    requests[0].end();
    clock.advance(100us);
    work.end();
    requests[1].end();
    auto const all = found();
    CHECK(counts(all) == std::vector<std::uint64_t>{2, 1});
    CHECK(ns(all[0].times.sum()) == 11'000 + 110'000);
    CHECK(ns(all[1].times.sum()) == 110'000);
    CHECK(std::llround(1000 * *share(all[0])) == 1090); // 121 us of the 111 us that were observed
}

TEST_CASE_FIXTURE(split_exchange, "probe: a pass that begins within another scope's pass may end after it") {
    auto& step = probe.scope("step");
    auto& reduction = step.scope("reduction");
    {
        auto const whole = step.enter();
        pass = reduction.enter();
        clock.advance(4us);
    }
    clock.advance(8us);
    pass.end();
    auto const all = found();
    CHECK(ns(all.at(1).times.sum()) == 4000);
    CHECK(ns(all.at(2).times.sum()) == 12'000);
    CHECK(std::llround(1000 * *share(all[2])) == 3000);
}

TEST_CASE("probe: an object with a pass as a member is in a phase from one call to another") {
    sonde::probe probe;
    halo_exchange halo{probe};
    for (int i = 0; i != 3; ++i) halo.start(), halo.finish();
    sonde::single_rank one;
    CHECK(counts(sonde::collect(one, probe)) == std::vector<std::uint64_t>{3});
    CHECK_THROWS_AS(halo.finish(), std::logic_error);
}

TEST_CASE("probe: free functions begin and end a phase") {
    begin_output();
    output_clock.advance(7us);
    end_output();
    sonde::single_rank one;
    auto const found = sonde::collect(one, output_probe);
    CHECK(outline(found) == "output");
    CHECK(ns(found[0].times.sum()) == 7000);
}

TEST_CASE("probe: the split phases of all ranks are merged") {
    auto const all = on_ranks(3, {}, [](process& self) {
        probe_of_time probe{self.clock()};
        auto& exchange = probe.scope("exchange");
        scope_of_time::pass pass;
        for (int i = 0; i <= self.rank(); ++i) {
            pass = exchange.enter();
            self.work(10us);
            pass.end();
            self.work(10us);
        }
        auto group = self.group();
        return sonde::collect(group, probe);
    });
    for (auto const& found : all) {
        CHECK(counts(found) == std::vector<std::uint64_t>{6});
        CHECK(ns(found[0].totals.max) == 30'000);
        CHECK(found[0].slowest == 2);
        CHECK(std::llround(1000 * *share(found[0])) == 500);
    }
}

TEST_CASE_FIXTURE(one_rank, "probe: a scope without a name has the place of its call as its name") {
    probe_of_time probe{clock};
    int const line = __LINE__ + 1;
    auto& outer = probe.scope();
    auto& inner = outer.scope({.bytes = 8});
    CHECK(outer.name() == "probe_split.cpp:" + std::to_string(line));
    CHECK(inner.name() == "probe_split.cpp:" + std::to_string(line + 1));
    CHECK(inner.bytes() == 8);
    std::vector<scope_of_time*> same;
    for (int i = 0; i != 2; ++i) same.push_back(&probe.scope());
    CHECK(same[0] == same[1]);
    CHECK(same[0] != &outer);
}
