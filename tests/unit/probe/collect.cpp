// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <sonde/group/threads.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

using namespace unit;
using scopes = std::vector<sonde::scope_record>;

namespace {

void pass(process& self, scope_of_time& scope, std::chrono::nanoseconds time) {
    auto const p = scope.enter();
    self.work(time);
}

/// The collected scopes of several ranks that make the scopes of `names`, and pass the i-th i + 1 times.
std::vector<scopes> with(std::vector<std::vector<std::string>> const& names) {
    return on_ranks(static_cast<int>(names.size()), {}, [&](process& self) {
        probe_of_time probe{self.clock()};
        int passes = 0;
        for (auto const& name : names[static_cast<std::size_t>(self.rank())]) {
            auto& scope = probe.scope(name);
            ++passes;
            for (int i = 0; i != passes; ++i) pass(self, scope, 1us);
        }
        auto group = self.group();
        return sonde::collect(group, probe);
    });
}

/// Measures the reference of a scope that a rank passed in 8 us; returns the results of all ranks.
template <class Make>
std::vector<scopes> with_reference(int ranks, Make make) {
    return on_ranks(ranks, {}, [&](process& self) {
        auto group = self.group();
        probe_of_time probe{self.clock()};
        auto& halo = probe.scope("step").scope("halo", {.bytes = 80});
        pass(self, halo, 8us);
        make(self, probe, halo);
        auto found = sonde::collect(group, probe);
        sonde::measure_references(group, probe, found);
        return found;
    });
}

} // namespace

TEST_CASE("collect: scopes in different orders on three ranks are one list, in the order of the first rank") {
    for (auto const& found : with({{"a", "b", "c"}, {"c", "a", "b"}, {"b", "c", "a"}})) {
        CHECK(outline(found) == "a b c");
        CHECK(counts(found) == std::vector<std::uint64_t>{1 + 2 + 3, 2 + 3 + 1, 3 + 1 + 2});
        for (auto const& r : found) CHECK(r.ranks == 3);
    }
}

TEST_CASE("collect: a scope that a rank lacks is found on all ranks, with the number of ranks that passed it") {
    for (auto const& found : with({{"a"}, {"b", "a"}, {}, {"b", "c", "a"}})) {
        CHECK(outline(found) == "a b c");
        CHECK(counts(found) == std::vector<std::uint64_t>{1 + 2 + 3, 1 + 1, 2});
        CHECK(std::vector{found[0].ranks, found[1].ranks, found[2].ranks} == std::vector{3, 2, 1});
        CHECK(ns(found[0].totals.min) == 1000);
        CHECK(ns(found[0].totals.mean) == 2000);
        CHECK(ns(found[2].totals.max) == 2000);
        CHECK(*imbalance(found[0]) == 1.5);
        CHECK(std::vector{found[0].slowest, found[1].slowest, found[2].slowest} == std::vector{3, 1, 3});
    }
}

TEST_CASE("collect: a rank is slow if most of its passes are, on all ranks alike") {
    // The times of 40 passes of the last of 4 ranks, whose others take 100 us.
    auto const slow_rank_of = [](std::vector<std::chrono::microseconds> const& last) {
        auto const all = on_ranks(4, {}, [&](process& self) {
            probe_of_time probe{self.clock()};
            for (std::size_t i = 0; i != 40; ++i)
                pass(self, probe.scope("work"), self.rank() == 3 ? last[i % last.size()] : 100us);
            auto group = self.group();
            return sonde::collect(group, probe).front();
        });
        for (auto const& found : all) {
            CHECK(found.slowest == all.front().slowest);
            CHECK(found.typical_ratio == all.front().typical_ratio);
        }
        return sonde::slow_rank(all.back());
    };
    CHECK(slow_rank_of({120us}) == 3);
    CHECK(slow_rank_of({200us, 200us, 100us}) == 3);
    CHECK(!slow_rank_of({100us}));
    CHECK(!slow_rank_of({106us}));                              // 4.4 % above the mean
    CHECK(!slow_rank_of({100us, 100us, 100us, 100us, 9000us})); // it lost its core
    CHECK(!sonde::slow_rank({}));
}

TEST_CASE("collect: ranks without any scope take part; if no rank has one the list is empty") {
    for (auto const& found : with({{}, {}, {"late"}})) CHECK(outline(found) == "late");
    for (auto const& found : with({{}, {}})) CHECK(found.empty());
}

TEST_CASE("collect: a rank that made a scope and did not pass it is not counted") {
    auto const all = on_ranks(3, {}, [](process& self) {
        probe_of_time probe{self.clock()};
        auto& scope = probe.scope("output");
        if (self.rank() == 1) pass(self, scope, 7us);
        auto group = self.group();
        return sonde::collect(group, probe);
    });
    for (auto const& found : all) {
        CHECK(found[0].ranks == 1);
        CHECK(ns(found[0].totals.min) == 7000);
        CHECK(ns(found[0].totals.mean) == 7000);
        CHECK(*imbalance(found[0]) == 1);
    }
}

TEST_CASE("collect: the share of a scope is of all ranks' time in the enclosing scope, or since the probes were made") {
    auto const all = on_ranks(2, {}, [](process& self) {
        self.work(5us); // before the probe is made
        probe_of_time probe{self.clock()};
        auto& step = probe.scope("step");
        step.scope("never");
        {
            auto const whole = step.enter();
            self.work(10us * (1 + 2 * self.rank()));
            if (self.rank() == 0) pass(self, step.scope("halo"), 30us); // a rank without this scope counts as well
        }
        self.work(50us);
        auto group = self.group();
        return sonde::collect(group, probe);
    });
    for (auto const& found : all) {
        CHECK(outline(found) == "step never@0 halo@0");
        CHECK(ns(found[0].enclosing) == 90'000 + 80'000);
        CHECK(ns(found[2].enclosing) == 40'000 + 30'000);
        CHECK(std::llround(1e6 * *share(found[0])) == 411'765); // 70 us of 170 us
        CHECK_FALSE(share(found[1]).has_value());
        CHECK(std::llround(1e6 * *share(found[2])) == 428'571); // 30 us of 70 us
    }
}

TEST_CASE("collect: the probes of several threads are observed together; no time is no share") {
    sonde::sim::virtual_time time;
    sonde::sim::manual_clock const clock{time};
    probe_of_time first{clock};
    clock.advance(10us);
    probe_of_time second{clock};
    { auto const p = second.scope("work").enter(); }
    sonde::single_rank one;
    CHECK_FALSE(share(sonde::collect(one, second).at(0)).has_value());
    {
        auto const p = first.scope("work").enter();
        clock.advance(20us);
    }
    auto const both = sonde::collect(one, first, second);
    CHECK(ns(both.at(0).enclosing) == 30'000 + 20'000);
    CHECK(std::llround(1e6 * *share(both[0])) == 400'000);
    auto const moved = std::move(first);
    CHECK(ns(moved.observed()) == 30'000);
}

TEST_CASE("collect: a name may have any characters") {
    std::string const odd{"\0\n\xff \xc3\xa9", 6};
    for (auto const& found : with({{odd, ""}, {"", std::string(1000, 'x')}}))
        CHECK(outline(found) == odd + "  " + std::string(1000, 'x'));
}

TEST_CASE("collect: a scope that only a later rank has within a scope keeps its parent") {
    auto const all = on_ranks(3, {}, [](process& self) {
        probe_of_time probe{self.clock()};
        if (self.rank() == 2) probe.scope("output").scope("write");
        auto& step = probe.scope("step");
        if (self.rank() != 0) step.scope("halo").scope(self.rank() == 1 ? "pack" : "wait");
        probe.scope("output");
        auto group = self.group();
        return sonde::collect(group, probe);
    });
    for (auto const& found : all) CHECK(outline(found) == "step halo@0 pack@1 wait@1 output write@4");
}

TEST_CASE("collect: the histogram is that of all passes of all ranks") {
    auto const all = on_ranks(4, {}, [](process& self) {
        probe_of_time probe{self.clock()};
        auto& scope = probe.scope("work", {.bytes = 4u + static_cast<unsigned>(self.rank())});
        for (int i = 0; i != 100; ++i) pass(self, scope, std::chrono::nanoseconds{1 + 37 * i * (self.rank() + 1)});
        auto group = self.group();
        return sonde::collect(group, probe);
    });
    sonde::basic_histogram<4, std::nano> expected;
    for (int rank = 0; rank != 4; ++rank)
        for (int i = 0; i != 100; ++i) expected.add(std::chrono::nanoseconds{1 + 37 * i * (rank + 1)});
    for (auto const& found : all) {
        for (double const q : {0.0, 0.1, 0.5, 0.9, 0.99, 1.0})
            CHECK(found[0].times.quantile(q) == expected.quantile(q));
        CHECK(found[0].times.count() == expected.count());
        CHECK(found[0].times.sum() == expected.sum());
        CHECK(found[0].bytes == 100 * (4 + 5 + 6 + 7));
    }
}

TEST_CASE("collect: threads of several ranks may each collect their own, as members of a thread_team") {
    sonde::sim::world{2, {}}.run([](process& self) {
        auto ranks = self.group();
        sonde::thread_team team{ranks, 2};
        std::array<scopes, 2> found;
        team.run([&](auto& me) {
            sonde::probe probe;
            auto& work = probe.scope("work");
            for (int i = 0; i <= me.rank(); ++i) auto const p = work.enter();
            found[static_cast<std::size_t>(me.thread())] = sonde::collect(me, probe);
        });
        for (auto const& one : found) {
            CHECK(counts(one) == std::vector<std::uint64_t>{1 + 2 + 3 + 4});
            CHECK(one[0].ranks == 4);
        }
    });
}

namespace {
/// A quotient of times in whole billionths: with -ffast-math two quotients of equal times may differ in the last bit.
long long billionths(double ratio) { return std::llround(1e9 * ratio); }
} // namespace

TEST_CASE("measure_references: the reference pattern of a scope is measured, and its record attached") {
    auto const all = with_reference(3, [](process& self, auto&, scope_of_time& halo) {
        halo.set_reference([&self] {
            return working{&self, role::initiator, {1us * (self.rank() + 1)}, {.bytes = 80}};
        });
    });
    for (auto const& found : all) {
        CHECK_FALSE(found[0].reference.has_value());
        CHECK_FALSE(efficiency(found[0]).has_value());
        CHECK(found[1].reference->point.name == "halo");
        CHECK(ns(median(*found[1].reference)) == 3000);
        CHECK(found[1].reference->total.bytes == 240);
        CHECK(billionths(*efficiency(found[1])) == billionths(median(*found[1].reference) / *median(found[1])));
        CHECK(billionths(*efficiency(found[1])) == 375'000'000);
    }
}

TEST_CASE("measure_references: ranks without a pattern, without the scope, or idle take part") {
    auto const all = on_ranks(4, {}, [](process& self) {
        auto group = self.group();
        probe_of_time probe{self.clock()};
        if (self.rank() != 3) pass(self, probe.scope("halo"), 8us);
        auto const who = self.rank() == 0 ? role::initiator : role::idle;
        if (self.rank() < 2) probe.scope("halo").set_reference([&self, who] { return working{&self, who, {2us}}; });
        auto found = sonde::collect(group, probe);
        probe.scope("made since").set_reference([] { return [] {}; });
        sonde::measure_references(group, probe, found);
        return found;
    });
    for (auto const& found : all) {
        CHECK(found[0].reference->initiators == 1);
        CHECK(billionths(*efficiency(found[0])) == 250'000'000);
    }
}

TEST_CASE("measure_references: if all ranks are idle there is no efficiency") {
    auto const all = with_reference(2, [](process& self, auto&, scope_of_time& halo) {
        halo.set_reference([&self] { return working{&self, role::idle, {2us}}; });
    });
    for (auto const& found : all) {
        CHECK(found[1].reference->initiators == 0);
        CHECK_FALSE(efficiency(found[1]).has_value());
    }
}

TEST_CASE("measure_references: messages go between neighbors, by a plan of the caller; a rank without a pattern makes "
          "an idle one") {
    auto const all = on_ranks(3, {1us, 5us, 0us, 1ns}, [](process& self) {
        auto group = self.group();
        probe_of_time probe{self.clock()};
        auto& halo = probe.scope("halo");
        pass(self, halo, 100us);
        sonde::host_allocation memory{2048};
        halo.set_reference([&] {
            auto const at = sonde::pair_of(self.rank(), 1);
            return sonde::bidirectional{self.link(at.peer), at.role, 1, memory.first(1001), memory.first(1001)};
        });
        auto found = sonde::collect(group, probe);
        auto const enough = sonde::samples{7} || sonde::time_budget{1s};
        sonde::measure_references(group, probe, found, sonde::plan<>{}.until(enough).timed_by(self.clock()));
        return found;
    });
    for (auto const& found : all) {
        CHECK(found[0].reference->stop.samples == 7);
        CHECK(found[0].reference->initiators == 1);
        CHECK(ns(median(*found[0].reference)) == 1000 + 1000 + 5000 + 1000);
    }
}

TEST_CASE("collect makes 6 reductions and 2 broadcasts if all ranks have the same scopes") {
    struct counting_rank : sonde::single_rank {
        void all_reduce(std::span<double>, sonde::reduction) { ++reductions; }
        void broadcast(std::span<std::byte>, int) { ++broadcasts; }
        int reductions = 0, broadcasts = 0;
    } group;
    sonde::probe probe;
    { auto const outer = probe.scope("halo").enter(), inner = probe.scope("solve").enter(); }
    CHECK(sonde::collect(group, probe).size() == 2);
    CHECK(group.reductions == 6);
    CHECK(group.broadcasts == 2);
}
