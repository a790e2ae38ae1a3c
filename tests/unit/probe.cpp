// SPDX-License-Identifier: BSL-1.0
#include "probe_support.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace unit;

namespace {

/// A probe in virtual time on a group of one.
struct probed : alone {
    probe_of_time probe{clock};

    void pass(region_of_time& region, std::chrono::nanoseconds d) {
        auto const p = region.enter();
        clock.advance(d);
    }
    std::vector<sonde::region_record> found() {
        sonde::solo one;
        return sonde::collect(one, probe);
    }
};

} // namespace

TEST_CASE_FIXTURE(probed, "probe: a pass is two readings of the clock") {
    auto& region = probe.region("work");
    CHECK(clock.reads() == 0);
    for (int i = 0; i != 50; ++i) pass(region, 1us);
    CHECK(clock.reads() == 100);
}

TEST_CASE_FIXTURE(probed, "probe: of a region are told count, median, p99, max, total, bytes and rate") {
    auto& region = probe.region("halo", {.bytes = 3000});
    for (int i = 1; i <= 300; ++i) pass(region, std::chrono::nanoseconds{i == 300 ? 77'777 : i < 10 ? 10 : 30});
    auto const r = found().at(0);
    CHECK(r.name == "halo");
    CHECK(r.times.count() == 300);
    CHECK(ns(*typical(r)) == 30);
    CHECK(ns(*tail(r, 0.99)) == 30);
    CHECK(ns(r.times.longest()) == 77'777);
    CHECK(ns(r.times.sum()) == 9 * 10 + 290 * 30 + 77'777);
    CHECK(ns(r.totals.mean) == ns(r.times.sum()));
    CHECK(r.ranks == 1);
    CHECK(r.bytes == 900'000);
    CHECK(*rate(r) == 3000 / typical(r)->count());
    CHECK(*imbalance(r) == 1);
}

TEST_CASE_FIXTURE(probed, "probe: a percentile needs passes enough, a rate needs bytes, and everything a pass") {
    auto& region = probe.region("work");
    auto const before = found().at(0);
    CHECK(before.ranks == 0);
    CHECK_FALSE(typical(before).has_value());
    CHECK_FALSE(imbalance(before).has_value());
    for (int i = 0; i != 298; ++i) pass(region, 1us);
    CHECK_FALSE(tail(found().at(0), 0.99).has_value());
    pass(region, 1us);
    CHECK(ns(*tail(found().at(0), 0.99)) == 1000);
    CHECK_FALSE(rate(found().at(0)).has_value());
    pass(probe.region("instant", {.bytes = 1}), 0ns);
    CHECK_FALSE(rate(found().at(1)).has_value());
}

TEST_CASE_FIXTURE(probed, "probe: a region stands behind the one it is within, whose times include it") {
    auto& step = probe.region("step");
    probe.region("output");
    auto& halo = step.region("halo");
    auto& pack = halo.region("pack");
    step.region("solve");
    for (int i = 0; i != 10; ++i) {
        auto const whole = step.enter();
        clock.advance(1us);
        auto const part = halo.enter();
        clock.advance(100ns);
        pass(pack, 20ns);
    }
    auto const all = found();
    CHECK(outline(all) == "step halo@0 pack@1 solve@0 output");
    CHECK(depths(all) == std::vector<std::size_t>{0, 1, 2, 1, 0});
    CHECK(ns(all[0].times.sum()) == 11'200);
    CHECK(ns(all[1].times.sum()) == 1200);
    CHECK(ns(all[2].times.sum()) == 200);
}

TEST_CASE_FIXTURE(probed, "probe: the same name within another region is another region; asked for again, the same") {
    auto& a = probe.region("a");
    auto& b = probe.region("b");
    auto& in_a = a.region("x", {.bytes = 8});
    CHECK(&in_a != &b.region("x"));
    CHECK(&in_a == &a.region("x"));
    CHECK(&in_a == &a.region("x", {.bytes = 8}));
    CHECK(&a == &probe.region("a"));
    CHECK_THROWS_AS(a.region("x", {.bytes = 9}), std::invalid_argument);
    CHECK_THROWS_AS(probe.region("b", {.bytes = 9}), std::invalid_argument);
    CHECK(outline(found()) == "a x@0 b x@2");
}

TEST_CASE_FIXTURE(probed, "probe: a pass that an exception leaves is counted, with its time") {
    auto& region = probe.region("work");
    CHECK_THROWS_AS(
        [&] {
            auto const p = region.enter();
            clock.advance(70ns);
            throw std::domain_error{"the application's"};
        }(),
        std::domain_error);
    CHECK(found().at(0).times.count() == 1);
    CHECK(ns(found().at(0).times.sum()) == 70);
}

TEST_CASE_FIXTURE(probed, "probe: a region entered within itself counts each pass, the inner time in both") {
    auto& region = probe.region("solve");
    auto const solve = [&](auto const& self, int levels) -> void {
        auto const p = region.enter();
        clock.advance(10ns);
        if (levels > 1) self(self, levels - 1);
    };
    solve(solve, 3);
    auto const r = found().at(0);
    CHECK(r.times.count() == 3);
    CHECK(ns(r.times.sum()) == 30 + 20 + 10);
    CHECK(ns(r.times.longest()) == 30);
}

TEST_CASE_FIXTURE(probed, "probe: what is under way is counted when it has ended; what was collected stays") {
    auto& region = probe.region("work");
    {
        auto const p = region.enter();
        clock.advance(5ns);
        CHECK(found().at(0).times.count() == 0);
    }
    CHECK(found().at(0).times.count() == 1);
    CHECK(found().at(0).times.count() == 1);
}

TEST_CASE_FIXTURE(probed, "probe: regions stay where they are while others are made and the probe is moved") {
    auto& first = probe.region("first");
    auto& within = first.region("within");
    for (int i = 0; i != 100; ++i) first.region('r' + std::to_string(i)), probe.region('r' + std::to_string(i));
    auto moved = std::move(probe);
    CHECK(&first == &moved.region("first"));
    CHECK(&within == &moved.region("first").region("within"));
    pass(within, 1us);
    sonde::solo one;
    CHECK(sonde::collect(one, moved).at(1).times.count() == 1);
}

TEST_CASE("probe: threads have one each, and their regions are merged") {
    std::vector<sonde::probe> probes(4);
    std::vector<std::thread> threads;
    for (int t = 0; t != 4; ++t)
        threads.emplace_back([&own = probes[static_cast<std::size_t>(t)], t] {
            auto& work = own.region("work", {.bytes = 10});
            auto& more = work.region(t % 2 == 0 ? "even" : "odd");
            for (int i = 0; i != 1000 * (t + 1); ++i) {
                auto const p = work.enter();
                auto const q = more.enter();
            }
        });
    for (auto& thread : threads) thread.join();
    sonde::solo one;
    auto const all = sonde::collect(one, probes);
    CHECK(outline(all) == "work even@0 odd@0");
    CHECK(counts(all) == std::vector<std::uint64_t>{10'000, 4000, 6000});
    CHECK(all[0].bytes == 100'000);
    CHECK(counts(sonde::collect(one, probes[0], probes[3])) == std::vector<std::uint64_t>{5000, 1000, 4000});
}

TEST_CASE("probe: no region, nothing found; a name that nobody has is refused") {
    sonde::solo one;
    auto const none = sonde::collect(one, sonde::probe{});
    CHECK(none.empty());
    CHECK_THROWS_AS(sonde::named(none, "halo"), std::out_of_range);
}

TEST_CASE("probe: a region takes 4 KiB at most, all it asks for included") {
    // A list's node has two pointers more; a name of 200 characters lies elsewhere.
    CHECK(sizeof(sonde::basic_region<sonde::steady_clock>) + 2 * sizeof(void*) + 200 <= 4096);
}
