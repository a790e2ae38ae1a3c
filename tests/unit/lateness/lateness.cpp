// SPDX-License-Identifier: BSL-1.0
#include "../probe/support.hpp"

#include <sonde/group/threads.hpp>
#include <sonde/lateness.hpp>
#include <sonde/lateness/timeline.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

using namespace unit;

namespace {

/// The record of each rank of a loop of `steps` steps of 1 ms, in which `late` takes 500 us longer, and a barrier.
std::vector<sonde::lateness_record> after_loop(int ranks, int steps, int late, sonde::sim::skew skew = {},
                                               sonde::probe_options options = {}) {
    return on_ranks(ranks, latency_network, [&](process& self) {
        auto const clock = self.clock(self.rank() == 0 ? sonde::sim::skew{} : skew);
        auto group = self.group();
        sonde::global_clock global{group, clock};
        probe_of_time probe{clock, options};
        auto& work = probe.work("solve");
        auto& halo = probe.exchange("halo");
        for (int s = 0; s != steps; ++s) {
            {
                auto const pass = work.enter();
                self.work(self.rank() == late ? 1500us : 1ms);
            }
            auto const pass = halo.enter();
            group.barrier();
            self.work(20us);
        }
        return sonde::collect_lateness(group, global, probe);
    });
}

} // namespace

TEST_CASE("collect_lateness: all ranks have the record of the late rank, exact to the nanosecond") {
    for (auto const& r : after_loop(4, 100, 2)) {
        CHECK(r.steps == 100);
        REQUIRE(r.exchanges.size() == 1);
        CHECK(ns(r.exchanges[0].waiting) == 3 * 99 * 500'000);
        CHECK(ns(r.exchanges[0].transfer) == 4 * 99 * 20'000);
        CHECK(ns(r.observed) == 4 * 99 * 1'520'000);
        REQUIRE(r.late.size() == 1);
        CHECK(r.late[0].rank == 2);
        CHECK(ns(r.late[0].lateness) == 500'000);
        CHECK(r.late[0].steps.size() == 99);
        CHECK(r.late[0].work.name == "solve");
        CHECK(std::abs(r.late[0].caused / r.exchanges[0].waiting - 1) < 1e-4);
    }
}

TEST_CASE("an exchange of the record is the scope of a comparison's application") {
    auto const r = after_loop(4, 100, 2).front();
    auto const halo = sonde::application_of(r, "halo");
    CHECK(halo.name == "halo");
    CHECK(halo.transfer == r.exchanges[0].transfer);
    CHECK(halo.waiting == r.exchanges[0].waiting);
    CHECK(halo.loop == r.observed);
    CHECK(sonde::gain_in_application(2, halo.transfer / halo.loop) == doctest::Approx(0.01 / 1.52));
    CHECK_THROWS_AS((void)sonde::application_of(r, "solve"), std::out_of_range);
}

TEST_CASE("collect_lateness: clocks that start at other times and drift are corrected, within their bound") {
    for (auto const& r : after_loop(3, 100, 1, {.offset = 3s, .drift = 1e-5})) {
        CHECK(r.clock_error > sonde::seconds{});
        CHECK(r.clock_error < 50us);
        CHECK(std::abs(r.exchanges[0].waiting.count() - 2 * 99 * 500e-6) < 2 * 99 * r.clock_error.count());
        REQUIRE(r.late.size() == 1);
        CHECK(r.late[0].rank == 1);
    }
}

TEST_CASE("collect_lateness: of a longer loop the latest passes are kept, with their numbers") {
    for (auto const& r : after_loop(2, 1000, 1, {}, {.kept_passes = 128})) {
        CHECK(r.steps == 64); // and as many passes of work
        CHECK(r.exchanges[0].unexamined == 936);
        REQUIRE(r.late.size() == 1);
        CHECK(r.late[0].steps.front() == 937);
        CHECK(r.late[0].steps.back() == 999);
    }
}

TEST_CASE("collect_lateness: ranks match by the numbers of their passes, and partners are awaited alone") {
    auto const found = on_ranks(4, {}, [&](process& self) {
        auto const clock = self.clock();
        auto group = self.group();
        sonde::global_clock global{group, clock};
        probe_of_time probe{clock};
        // Ranks 0 and 1, and ranks 2 and 3, are pairs. Rank 3 works longer in every step, and makes the scope later.
        if (self.rank() == 3) probe.exchange("sum");
        auto& pair = probe.exchange("pair", {.partners = {self.rank() ^ 1, -1}});
        for (int s = 0; s != 60; ++s) {
            self.work(self.rank() == 3 ? 1200us : 1ms);
            auto const pass = pair.enter();
            auto link = self.link(self.rank() ^ 1);
            std::byte out{};
            std::byte in{};
            link.send({&out, 1});
            link.recv({&in, 1});
        }
        if (self.rank() == 0) {
            auto const pass = pair.enter();
        } // has no counterpart, and is left out
        return sonde::collect_lateness(group, global, probe);
    });
    for (auto const& r : found) {
        CHECK(r.steps == 60);
        REQUIRE(r.late.size() == 1);
        CHECK(r.late[0].rank == 3);
        CHECK(r.late[0].exchange == "pair");
        CHECK(r.late[0].work.name.empty());
        CHECK(ns(r.ranks[0].waiting) == 0);
        CHECK(ns(r.ranks[1].waiting) == 0);
        CHECK(ns(r.ranks[2].waiting) == 59 * 200'000);
        REQUIRE(r.exchanges.front().name == "pair");
        REQUIRE(r.exchanges.front().unequal.has_value());
        CHECK(r.exchanges.front().unequal->most_rank == 0);
        CHECK(r.exchanges.front().unequal->most == 61);
        CHECK(r.exchanges.front().unequal->fewest_rank == 1);
        CHECK(r.exchanges.front().unequal->fewest == 60);
    }
}

TEST_CASE("collect_lateness: a rank may lack an exchange, and a loop without exchanges has no steps") {
    auto const found = on_ranks(3, {}, [&](process& self) {
        probe_of_time probe{self.clock()};
        auto group = self.group();
        auto const without = sonde::collect_lateness(group, probe);
        CHECK(without.exchanges.empty());
        CHECK(without.steps == 0);
        if (self.rank() != 2)
            for (int s = 0; s != 50; ++s) {
                auto const pass = probe.exchange("halo").enter();
                self.work(1us);
            }
        return sonde::collect_lateness(group, probe);
    });
    for (auto const& r : found) {
        CHECK(r.steps == 50);
        CHECK(ns(r.ranks[2].waiting) == 0);
        CHECK_FALSE(r.exchanges[0].unequal.has_value()); // of the ranks that have it
    }
}

TEST_CASE("collect_lateness: an exchange within another one is part of it") {
    auto const found = on_ranks(2, {}, [&](process& self) {
        probe_of_time probe{self.clock()};
        auto group = self.group();
        auto& outer = probe.exchange("outer");
        auto& inner = outer.exchange("inner");
        for (int s = 0; s != 50; ++s) {
            self.work(self.rank() == 1 ? 3us : 1us);
            auto const whole = outer.enter();
            {
                auto const part = inner.enter();
                group.barrier();
            }
            self.work(1us);
        }
        sonde::global_clock global{group, self.clock()};
        return sonde::collect_lateness(group, global, probe);
    });
    for (auto const& r : found) {
        CHECK(r.exchanges[0].passes == 50);
        CHECK(r.exchanges[1].waiting == sonde::seconds{});
    }
}

TEST_CASE("collect_lateness: a partner that is no rank throws on all ranks") {
    auto const messages = caught_on_ranks(2, [](process& self) {
        probe_of_time probe{self.clock()};
        auto group = self.group();
        probe.exchange("halo", {.partners = {self.rank() == 0 ? 7 : 0}});
        static_cast<void>(sonde::collect_lateness(group, probe));
    });
    CHECK(messages[0] == "sonde::collect_lateness: the exchange halo has the partner 7, and the group has 2 ranks");
    CHECK(messages[1] == "sonde::collect_lateness: an exchange of rank 0 has a partner that is no rank of the group");
}

TEST_CASE("collect_lateness: a scope that is work on one rank and an exchange on another throws on all ranks") {
    auto const messages = caught_on_ranks(3, [](process& self) {
        probe_of_time probe{self.clock()};
        auto group = self.group();
        probe.exchange("halo");
        if (self.rank() == 1) probe.exchange("solve");
        if (self.rank() == 2) probe.work("solve");
        static_cast<void>(sonde::collect_lateness(group, probe));
    });
    for (auto const& message : messages)
        CHECK(message == "sonde::collect_lateness: the scope solve is work on rank 2 and an exchange on rank 1");
}

TEST_CASE("probe: a scope of work or an exchange is found by its name, and refused as another kind or with others") {
    sonde::sim::virtual_time time;
    probe_of_time probe{sonde::sim::manual_clock{time}};
    auto& halo = probe.exchange("halo", {.bytes = 8, .partners = {1, 2}});
    CHECK(&probe.scope("halo") == &halo);
    CHECK(&probe.exchange("halo") == &halo);
    CHECK(halo.kind() == sonde::scope_kind::exchange);
    CHECK_THROWS_WITH_AS(probe.work("halo"), "sonde::probe: the scope is of another kind: halo", std::invalid_argument);
    CHECK_THROWS_WITH_AS(probe.exchange("halo", {.partners = {1}}), "sonde::probe: the scope has other partners: halo",
                         std::invalid_argument);
    auto& step = probe.scope("step");
    auto& solve = step.work("solve");
    CHECK(&step.scope("solve") == &solve);
    CHECK(&step.work("solve") == &solve);
    CHECK_THROWS_WITH_AS(probe_of_time(sonde::sim::manual_clock{time}, {.kept_passes = 0}),
                         "sonde::probe: it would keep no passes", std::invalid_argument);
}

TEST_CASE("collect: an exchange has no slow rank, because a rank that takes long there waits") {
    auto const found = on_ranks(2, {}, [&](process& self) {
        probe_of_time probe{self.clock()};
        auto group = self.group();
        for (auto* const scope : {&probe.work("solve"), &probe.exchange("halo"), &probe.scope("other")})
            for (int i = 0; i != 10; ++i) {
                auto const pass = scope->enter();
                self.work(self.rank() == 1 ? 2us : 1us);
            }
        return sonde::collect(group, probe);
    });
    for (auto const& all : found) {
        CHECK(all[0].kind == sonde::scope_kind::work);
        CHECK(slow_rank(all[0]) == 1);
        CHECK(all[1].kind == sonde::scope_kind::exchange);
        CHECK_FALSE(slow_rank(all[1]).has_value());
        CHECK(slow_rank(all[2]) == 1);
    }
}

TEST_CASE("record_waiting: passes of exchanges are split into waiting, with its cause, and transfer") {
    struct slice {
        std::string name;
        std::int64_t begin, length;
        bool operator==(slice const&) const = default;
    };
    auto const found = on_ranks(4, {}, [&](process& self) {
        // On a line, rank 0 works 500 us longer in step 2; ranks 1 to 3 wait for it one step after the other.
        auto group = self.group();
        sonde::global_clock global{group, self.clock()};
        probe_of_time probe{self.clock()};
        sonde::timeline events;
        auto& track = events.add_track("main");
        probe.record_in(track);
        std::vector<int> partners;
        for (auto const other : {self.rank() - 1, self.rank() + 1})
            if (other >= 0 && other < 4) partners.push_back(other);
        auto& halo = probe.exchange("halo", {.partners = partners});
        for (int s = 0; s != 8; ++s) {
            self.work(self.rank() == 0 && s == 2 ? 1500us : 1ms);
            auto const pass = halo.enter();
            for (auto const other : partners) self.link(other).send({});
            for (auto const other : partners) self.link(other).recv({});
        }
        sonde::record_waiting(group, global, probe, track);
        std::vector<slice> slices;
        for (auto const& e : track.events())
            if (track.types()[e.type].name != "halo")
                slices.push_back({track.types()[e.type].name, ns(e.begin), ns(e.end - e.begin)});
        std::int64_t begin = 0; // of the pass in which it waits
        for (auto const& e : track.events())
            if (!slices.empty() && ns(e.begin) == slices[0].begin) begin = ns(e.begin);
        for (auto& s : slices) s.begin -= begin;
        return slices;
    });
    CHECK(found[0].empty());
    for (int r = 1; r != 4; ++r) {
        auto const& slices = found[static_cast<std::size_t>(r)];
        REQUIRE(slices.size() == 2);
        CHECK(slices[0].name == "waits for rank " + std::to_string(r - 1) + ", delayed by the work of rank 0");
        CHECK(slices[0].begin == 0);
        CHECK(slices[0].length == 500'000);
        CHECK(slices[1].name == "transfer");
        CHECK(slices[1].begin == slices[0].length);
    }
}
