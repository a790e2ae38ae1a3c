// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

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
struct probe_fixture : one_rank {
    probe_of_time probe{clock};

    void pass(scope_of_time& scope, std::chrono::nanoseconds d) {
        auto const p = scope.enter();
        clock.advance(d);
    }
    std::vector<sonde::scope_record> found() {
        sonde::single_rank one;
        return sonde::collect(one, probe);
    }
};

} // namespace

TEST_CASE_FIXTURE(probe_fixture, "probe: a pass is two readings of the clock") {
    auto const before = clock.reads(); // of the probe
    CHECK(before == 1);
    auto& scope = probe.scope("work");
    for (int i = 0; i != 50; ++i) pass(scope, 1us);
    CHECK(clock.reads() - before == 100);
}

TEST_CASE_FIXTURE(probe_fixture, "probe: a scope has count, median, p99, max, total, bytes and bandwidth") {
    auto& scope = probe.scope("halo", {.bytes = 3000});
    for (int i = 1; i <= 300; ++i) pass(scope, std::chrono::nanoseconds{i == 300 ? 77'777 : i < 10 ? 10 : 30});
    auto const r = found().at(0);
    CHECK(r.name == "halo");
    CHECK(r.times.count() == 300);
    CHECK(ns(*median(r)) == 30);
    CHECK(ns(*percentile(r, 0.99)) == 30);
    CHECK(ns(r.times.max()) == 77'777);
    CHECK(ns(r.times.sum()) == 9 * 10 + 290 * 30 + 77'777);
    CHECK(ns(r.totals.mean) == ns(r.times.sum()));
    CHECK(r.ranks == 1);
    CHECK(r.bytes == 900'000);
    CHECK(*bandwidth(r) == 3000 / median(r)->count());
    CHECK(*imbalance(r) == 1);
}

TEST_CASE_FIXTURE(probe_fixture,
                  "probe: a percentile needs enough passes, a bandwidth needs bytes, and every figure a pass") {
    auto& scope = probe.scope("work");
    auto const before = found().at(0);
    CHECK(before.ranks == 0);
    CHECK_FALSE(median(before).has_value());
    CHECK_FALSE(imbalance(before).has_value());
    for (int i = 0; i != 298; ++i) pass(scope, 1us);
    CHECK_FALSE(percentile(found().at(0), 0.99).has_value());
    pass(scope, 1us);
    CHECK(ns(*percentile(found().at(0), 0.99)) == 1000);
    CHECK_FALSE(bandwidth(found().at(0)).has_value());
    pass(probe.scope("instant", {.bytes = 1}), 0ns);
    CHECK_FALSE(bandwidth(found().at(1)).has_value());
}

TEST_CASE_FIXTURE(probe_fixture, "probe: a scope follows its parent, whose times include it") {
    auto& step = probe.scope("step");
    probe.scope("output");
    auto& halo = step.scope("halo");
    auto& pack = halo.scope("pack");
    step.scope("solve");
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

TEST_CASE_FIXTURE(probe_fixture,
                  "probe: an equal name in another scope is another scope; the same path returns the same scope") {
    auto& a = probe.scope("a");
    auto& b = probe.scope("b");
    auto& in_a = a.scope("x", {.bytes = 8});
    CHECK(&in_a != &b.scope("x"));
    CHECK(&in_a == &a.scope("x"));
    CHECK(&in_a == &a.scope("x", {.bytes = 8}));
    CHECK(&a == &probe.scope("a"));
    CHECK_THROWS_AS(a.scope("x", {.bytes = 9}), std::invalid_argument);
    CHECK_THROWS_AS(probe.scope("b", {.bytes = 9}), std::invalid_argument);
    CHECK(outline(found()) == "a x@0 b x@2");
}

TEST_CASE_FIXTURE(probe_fixture, "probe: a pass that ends by an exception is counted, with its time") {
    auto& scope = probe.scope("work");
    CHECK_THROWS_AS(
        [&] {
            auto const p = scope.enter();
            clock.advance(70ns);
            throw std::domain_error{"the application's"};
        }(),
        std::domain_error);
    CHECK(found().at(0).times.count() == 1);
    CHECK(ns(found().at(0).times.sum()) == 70);
}

TEST_CASE_FIXTURE(probe_fixture, "probe: a scope entered within itself counts each pass, the inner time in both") {
    auto& scope = probe.scope("solve");
    auto const solve = [&](auto const& self, int levels) -> void {
        auto const p = scope.enter();
        clock.advance(10ns);
        if (levels > 1) self(self, levels - 1);
    };
    solve(solve, 3);
    auto const r = found().at(0);
    CHECK(r.times.count() == 3);
    CHECK(ns(r.times.sum()) == 30 + 20 + 10);
    CHECK(ns(r.times.max()) == 30);
}

TEST_CASE_FIXTURE(probe_fixture, "probe: an active pass is counted after its end; collected results do not change") {
    auto& scope = probe.scope("work");
    {
        auto const p = scope.enter();
        clock.advance(5ns);
        CHECK(found().at(0).times.count() == 0);
    }
    CHECK(found().at(0).times.count() == 1);
    CHECK(found().at(0).times.count() == 1);
}

TEST_CASE_FIXTURE(probe_fixture,
                  "probe: references to scopes stay valid while others are made and the probe is moved") {
    auto& first = probe.scope("first");
    auto& within = first.scope("within");
    for (int i = 0; i != 100; ++i) first.scope('r' + std::to_string(i)), probe.scope('r' + std::to_string(i));
    auto moved = std::move(probe);
    CHECK(&first == &moved.scope("first"));
    CHECK(&within == &moved.scope("first").scope("within"));
    pass(within, 1us);
    sonde::single_rank one;
    CHECK(sonde::collect(one, moved).at(1).times.count() == 1);
}

TEST_CASE("probe: threads have one each, and their scopes are merged") {
    std::vector<sonde::probe> probes(4);
    std::vector<std::thread> threads;
    for (int t = 0; t != 4; ++t)
        threads.emplace_back([&own = probes[static_cast<std::size_t>(t)], t] {
            auto& work = own.scope("work", {.bytes = 10});
            auto& more = work.scope(t % 2 == 0 ? "even" : "odd");
            for (int i = 0; i != 1000 * (t + 1); ++i) {
                auto const p = work.enter();
                auto const q = more.enter();
            }
        });
    for (auto& thread : threads) thread.join();
    sonde::single_rank one;
    auto const all = sonde::collect(one, probes);
    CHECK(outline(all) == "work even@0 odd@0");
    CHECK(counts(all) == std::vector<std::uint64_t>{10'000, 4000, 6000});
    CHECK(all[0].bytes == 100'000);
    CHECK(counts(sonde::collect(one, probes[0], probes[3])) == std::vector<std::uint64_t>{5000, 1000, 4000});
}

TEST_CASE("probe: without scopes the result is empty; an unknown name is refused") {
    sonde::single_rank one;
    auto const none = sonde::collect(one, sonde::probe{});
    CHECK(none.empty());
    CHECK_THROWS_AS(sonde::find_scope(none, "halo"), std::out_of_range);
}

TEST_CASE("probe: a scope takes at most 4 KiB, including its allocations") {
    // A list's node has two pointers more; a name of 200 characters is allocated separately.
    CHECK(sizeof(sonde::basic_scope<sonde::steady_clock>) + 2 * sizeof(void*) + 200 <= 4096);
}
