// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

using namespace unit;

namespace {

/// A rank's clock with the given properties.
struct timed_differently {
    sonde::sim::manual_clock clock;
    sonde::clock_properties says;

    auto now() const { return clock.now(); }
    sonde::clock_properties properties() const { return says; }
};

/// All fields of a record, in a form that can be compared.
auto fields(sonde::record const& r) {
    std::vector<std::string> at{r.point.name};
    for (auto const& p : r.point.parameters) at.insert(at.end(), {p.name, p.text, p.number ? "number" : "text"});
    return std::tuple{at,
                      r.total.bytes,
                      r.total.messages,
                      r.total.hops,
                      r.total.bus_factor,
                      r.ranks,
                      r.initiators,
                      r.batch,
                      r.series,
                      r.sample_means,
                      r.rank_means,
                      std::tuple{r.over_ranks.min, r.over_ranks.mean, r.over_ranks.max},
                      r.first,
                      r.stragglers,
                      r.clock_properties.cost,
                      r.clock_properties.resolution,
                      r.clock_properties.bias,
                      r.stop.reason,
                      r.stop.samples,
                      to_string(r.flags),
                      r.errors};
}

} // namespace

TEST_CASE("the record is equal on every rank, field by field") {
    auto const records = on_ranks(5, {1us, 2us, 0us, 0us}, [](process& self) {
        auto group = self.group();
        auto const rank = self.rank();
        timed_differently const clock{self.clock(), {10ns * rank, 1ns * (7 - rank), 3ns * rank}};
        auto const plan = sonde::plan<>{}
                              .warmup(2)
                              .batch(3)
                              .until(sonde::time_budget{100us} || sonde::samples{50})
                              .keep({.sample_means = true, .rank_means = true});
        auto const who = rank == 3 ? role::idle : rank == 4 ? role::responder : role::initiator;
        working pattern{&self,
                        who,
                        {1us * (rank + 1), 7us - 1us * rank},
                        {8 * static_cast<std::size_t>(rank), 1, 1.0 + rank, 0.1 * rank}};
        return sonde::run(group, plan.timed_by(clock), pattern, {"five", {{"ranks", 5}}});
    });
    for (auto const& r : records) CHECK(fields(r) == fields(records.front()));
    CHECK(records.front().sample_means.size() == records.front().series.size());
    CHECK(records.front().rank_means.size() == 5);
    for (auto const& r : records)
        CHECK((r.slowest_counts ? r.slowest_counts->size() : 0) == (&r == &records.front() ? 5 : 0));
    CHECK(records.front().stop.reason == sonde::stop_reason::time_budget);
}

TEST_CASE("clock_properties are the worst of all ranks, also of idle ones") {
    auto const records = on_ranks(3, {}, [](process& self) {
        std::vector<sonde::clock_properties> const timers{{30ns, 1ns, 5ns}, {10ns, 40ns, 6ns}, {20ns, 2ns, 70ns}};
        timed_differently const clock{self.clock(), timers[static_cast<std::size_t>(self.rank())]};
        auto group = self.group();
        auto const plan = sonde::plan<>{}.until(sonde::samples{1}).timed_by(clock);
        return sonde::run(group, plan, working{&self, self.rank() == 2 ? role::idle : role::initiator, {1us}});
    });
    for (auto const& r : records) {
        CHECK(ns(r.clock_properties.cost) == 30);
        CHECK(ns(r.clock_properties.resolution) == 40);
        CHECK(ns(r.clock_properties.bias) == 70);
    }
}

namespace {

struct part {
    sonde::role who;
    std::vector<std::chrono::nanoseconds> durations;
    sonde::traffic moved{};
};

/// The record, as every rank has it, of three samples with the ranks' work.
std::vector<sonde::record> measured(std::vector<part> const& parts, std::size_t warmup = 0) {
    return on_ranks(static_cast<int>(parts.size()), {}, [&](process& self) {
        auto group = self.group();
        auto const& mine = parts[static_cast<std::size_t>(self.rank())];
        auto const plan = sonde::plan<>{}.warmup(warmup).until(sonde::samples{3}).timed_by(self.clock());
        return sonde::run(group, plan, working{&self, mine.who, mine.durations, mine.moved});
    });
}

constexpr auto counted = role::initiator;

} // namespace

TEST_CASE("the series is the slowest rank's, sample by sample") {
    auto const r =
        measured({{counted, {1us, 1us, 1us}}, {counted, {2us, 7us, 2us}}, {counted, {3us, 3us, 9us}}}).front();
    CHECK(ns(r.series) == std::vector<long long>{3000, 7000, 9000});
}

TEST_CASE("responders and idle ranks do not count, however slow") {
    auto const r = measured({{role::idle, {80us}}, {counted, {2us}}, {role::responder, {90us}}}).front();
    CHECK(ns(r.series) == std::vector<long long>{2000, 2000, 2000});
    CHECK(ns(r.over_ranks.max) == 2000);
    CHECK(ns(r.first) == 2000);
    CHECK(r.ranks == 3);
    CHECK(r.initiators == 1);
}

TEST_CASE("two unequal initiators: minimum, mean and maximum of their means") {
    auto const r = measured({{counted, {1us, 2us, 3us}}, {counted, {5us}}, {role::responder, {100us}}}).front();
    CHECK(ns(r.over_ranks.min) == 2000);
    CHECK(ns(r.over_ranks.mean) == 3500);
    CHECK(ns(r.over_ranks.max) == 5000);
    CHECK(r.initiators == 2);
}

TEST_CASE("the first iteration's time is that of the slowest rank that counts") {
    std::vector<part> const parts{
        {counted, {30us, 1us, 1us, 1us, 1us}}, {counted, {40us, 1us, 1us, 1us, 1us}}, {role::idle, {50us}}};
    CHECK(ns(measured(parts).front().first) == 40'000);
    CHECK(ns(measured(parts, 2).front().first) == 40'000);
    CHECK(ns(measured(parts, 2).front().series) == std::vector<long long>{1000, 1000, 1000});
}

TEST_CASE("traffic is summed over the initiators, hops and bus factor are their maximum") {
    auto const r = measured({{counted, {1us}, {10, 1, 1, 1.5}},
                             {counted, {1us}, {30, 2, 4, 0.75}},
                             {role::responder, {1us}, {1000, 50, 9, 8}}});
    CHECK(r.front().total.bytes == 40);
    CHECK(r.front().total.messages == 3);
    CHECK(r.front().total.hops == 4);
    CHECK(r.front().total.bus_factor == 1.5);
}

TEST_CASE("traffic that several ranks report is counted once, in whole bytes") {
    sonde::traffic const of_three{1000, 1, 1, 1, 3}; // thirds, which are not binary fractions
    auto const r = measured({{counted, {1us}, of_three}, {counted, {1us}, of_three}, {counted, {1us}, of_three}});
    CHECK(r.front().total.bytes == 1000);
    CHECK(r.front().total.messages == 1);
    CHECK(r.front().total.shared_by == 1);
}

TEST_CASE("hops and bus factors that are not finite and positive are refused on all ranks") {
    constexpr auto nan = std::numeric_limits<double>::quiet_NaN();
    constexpr auto infinity = std::numeric_limits<double>::infinity();
    std::vector<sonde::traffic> const refused{{.hops = nan},
                                              {.hops = 0},
                                              {.hops = -1},
                                              {.hops = infinity},
                                              {.bus_factor = -1},
                                              {.bus_factor = nan},
                                              {.bus_factor = infinity},
                                              {.shared_by = 0}};
    constexpr int everywhere = 2;
    for (auto const& wrong : refused)
        for (int const where : {0, 1, everywhere}) {
            auto const thrown = caught_on_ranks(2, [&](process& self) {
                auto group = self.group();
                auto const plan = sonde::plan<>{}.until(sonde::samples{1}).timed_by(self.clock());
                auto const moved = self.rank() == where || where == everywhere ? wrong : sonde::traffic{};
                (void)sonde::run(group, plan, working{&self, counted, {1us}, moved});
            });
            for (auto const& one : thrown) CHECK(one.starts_with("sonde::traffic: hops"));
        }
}

TEST_CASE("if no rank counts, times and traffic are zero") {
    auto const r = measured({{role::idle, {5us}, {10, 1, 1}}, {role::responder, {6us}, {10, 1, 1}}}).front();
    CHECK(ns(r.series) == std::vector<long long>{0, 0, 0});
    CHECK(r.over_ranks.min.count() == 0);
    CHECK(r.over_ranks.mean.count() == 0);
    CHECK(r.over_ranks.max.count() == 0);
    CHECK_FALSE(r.first);
    CHECK(r.total.bytes == 0);
    CHECK(r.total.messages == 0);
    CHECK(r.initiators == 0);
    CHECK(r.ranks == 2);
}
