// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

using namespace unit;

namespace {

struct part {
    role who;
    std::vector<std::chrono::nanoseconds> durations;
    sonde::traffic moved{};
};

/// The record, as every rank has it, of three samples in which ranks work as their parts say.
std::vector<sonde::record> measured(std::vector<part> const& parts, std::size_t warmup = 0) {
    return on_ranks(static_cast<int>(parts.size()), {}, [&](process& self) {
        auto group = self.group();
        auto const& mine = parts[static_cast<std::size_t>(self.rank())];
        auto const plan = sonde::plan<>{}.warmup(warmup).until(sonde::samples{3}).timed_by(self.clock());
        return sonde::run(group, plan, working{&self, mine.who, mine.durations, mine.moved});
    });
}

constexpr auto counts = role::initiator;

} // namespace

TEST_CASE("the series is the slowest rank's, sample by sample") {
    auto const r = measured({{counts, {1us, 1us, 1us}}, {counts, {2us, 7us, 2us}}, {counts, {3us, 3us, 9us}}}).front();
    CHECK(ns(r.series) == std::vector<long long>{3000, 7000, 9000});
}

TEST_CASE("responders and idle ranks do not count, however slow") {
    auto const r = measured({{role::idle, {80us}}, {counts, {2us}}, {role::responder, {90us}}}).front();
    CHECK(ns(r.series) == std::vector<long long>{2000, 2000, 2000});
    CHECK(ns(r.over_ranks.max) == 2000);
    CHECK(ns(r.first) == 2000);
    CHECK(r.ranks == 3);
    CHECK(r.initiators == 1);
}

TEST_CASE("of two unequal initiators: least, mean and greatest of their means") {
    auto const r = measured({{counts, {1us, 2us, 3us}}, {counts, {5us}}, {role::responder, {100us}}}).front();
    CHECK(ns(r.over_ranks.min) == 2000);
    CHECK(ns(r.over_ranks.mean) == 3500);
    CHECK(ns(r.over_ranks.max) == 5000);
    CHECK(r.initiators == 2);
}

TEST_CASE("the first iteration's time is the slowest rank's that counts") {
    std::vector<part> const parts{
        {counts, {30us, 1us, 1us, 1us, 1us}}, {counts, {40us, 1us, 1us, 1us, 1us}}, {role::idle, {50us}}};
    CHECK(ns(measured(parts).front().first) == 40'000);
    CHECK(ns(measured(parts, 2).front().first) == 40'000);
    CHECK(ns(measured(parts, 2).front().series) == std::vector<long long>{1000, 1000, 1000});
}

TEST_CASE("traffic is summed over the initiators, the legs are the longest") {
    auto const r =
        measured({{counts, {1us}, {10, 1, 1}}, {counts, {1us}, {30, 2, 4}}, {role::responder, {1us}, {1000, 50, 9}}});
    CHECK(r.front().total.bytes == 40);
    CHECK(r.front().total.messages == 3);
    CHECK(r.front().total.legs == 4);
}

TEST_CASE("where nobody counts, times and traffic are zero") {
    auto const r = measured({{role::idle, {5us}, {10, 1, 1}}, {role::responder, {6us}, {10, 1, 1}}}).front();
    CHECK(ns(r.series) == std::vector<long long>{0, 0, 0});
    CHECK(r.over_ranks.min.count() == 0);
    CHECK(r.over_ranks.mean.count() == 0);
    CHECK(r.over_ranks.max.count() == 0);
    CHECK(r.first.count() == 0);
    CHECK(r.total.bytes == 0);
    CHECK(r.total.messages == 0);
    CHECK(r.initiators == 0);
    CHECK(r.ranks == 2);
}

namespace {

/// A rank's clock that says of itself what it is told to.
struct timed_differently {
    sonde::sim::manual_clock clock;
    sonde::timer says;

    auto now() const { return clock.now(); }
    sonde::timer timer() const { return says; }
};

} // namespace

TEST_CASE("the timer is the worst of the ranks', of idle ones too") {
    auto const records = on_ranks(3, {}, [](process& self) {
        std::vector<sonde::timer> const timers{{30ns, 1ns, 5ns}, {10ns, 40ns, 6ns}, {20ns, 2ns, 70ns}};
        timed_differently const clock{self.clock(), timers[static_cast<std::size_t>(self.rank())]};
        auto group = self.group();
        auto const plan = sonde::plan<>{}.until(sonde::samples{1}).timed_by(clock);
        return sonde::run(group, plan, working{&self, self.rank() == 2 ? role::idle : counts, {1us}});
    });
    for (auto const& r : records) {
        CHECK(ns(r.timer.cost) == 30);
        CHECK(ns(r.timer.quantum) == 40);
        CHECK(ns(r.timer.bias) == 70);
    }
}

namespace {

/// Everything in a record, comparable.
auto fields(sonde::record const& r) {
    std::vector<std::string> at{r.at.name};
    for (auto const& p : r.at.parameters) at.insert(at.end(), {p.name, p.text, p.number ? "number" : "text"});
    return std::tuple{at,
                      r.total.bytes,
                      r.total.messages,
                      r.total.legs,
                      r.ranks,
                      r.initiators,
                      r.batch,
                      r.series,
                      std::tuple{r.over_ranks.min, r.over_ranks.mean, r.over_ranks.max},
                      r.first,
                      r.timer.cost,
                      r.timer.quantum,
                      r.timer.bias,
                      r.stopped.reason,
                      r.stopped.samples,
                      r.flags.timer_limited,
                      r.errors};
}

} // namespace

TEST_CASE("the record is equal on every rank, field by field") {
    auto const records = on_ranks(5, {1us, 2us, 0us, 0us}, [](process& self) {
        auto group = self.group();
        auto const rank = self.rank();
        timed_differently const clock{self.clock(), {10ns * rank, 1ns * (7 - rank), 3ns * rank}};
        auto const plan = sonde::plan<>{}.warmup(2).batch(3).until(sonde::time_budget{100us} || sonde::samples{50});
        auto const who = rank == 3 ? role::idle : rank == 4 ? role::responder : counts;
        working pattern{&self, who, {1us * (rank + 1), 7us - 1us * rank}, {8.0 * rank, 1, 1.0 * rank}};
        return sonde::run(group, plan.timed_by(clock), pattern, {"five", {{"ranks", 5}}});
    });
    for (auto const& r : records) CHECK(fields(r) == fields(records.front()));
    CHECK(records.front().stopped.reason == sonde::stop_reason::time_budget);
}
