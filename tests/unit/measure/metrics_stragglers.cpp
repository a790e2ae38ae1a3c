// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

using namespace unit;

namespace {

using list = std::vector<int>;

/// A clock in virtual time that says these properties of itself.
template <class C>
struct clock_of {
    C clock;
    sonde::clock_properties says;

    auto now() const { return clock.now(); }
    sonde::clock_properties properties() const { return says; }
};
template <class C>
clock_of(C, sonde::clock_properties) -> clock_of<C>;

/// The records of all ranks, whose samples take these times by turns.
std::vector<sonde::record> records_of(std::vector<std::vector<std::chrono::nanoseconds>> const& times,
                                      std::size_t samples = 40, sonde::clock_properties const& clock = {}) {
    return on_ranks(static_cast<int>(times.size()), {}, [&](process& self) {
        auto group = self.group();
        auto const plan =
            sonde::plan<>{}.warmup(0).until(sonde::samples{samples}).timed_by(clock_of{self.clock(), clock});
        auto const& mine = times[static_cast<std::size_t>(self.rank())];
        return sonde::run(group, plan, working{&self, role::initiator, mine});
    });
}

/// The stragglers, which are equal on all ranks.
std::vector<int> stragglers_of(std::vector<sonde::record> const& records) {
    for (auto const& r : records) CHECK(r.stragglers == records.front().stragglers);
    return records.front().stragglers;
}

/// Times of a rank: 20 us with a standard deviation of 1 us and this correlation of successive samples, in ticks.
struct times_of_rank {
    double correlation;
    std::chrono::nanoseconds tick{1};
    std::chrono::nanoseconds more{}; // of the last rank
};

std::vector<std::chrono::nanoseconds> correlated(times_of_rank const& t, std::chrono::nanoseconds more,
                                                 std::mt19937& random) {
    std::normal_distribution<double> noise{0, 1};
    auto const own = std::sqrt(1 - t.correlation * t.correlation), tick = static_cast<double>(t.tick.count());
    std::vector<std::chrono::nanoseconds> all;
    double deviation = noise(random);
    for (int i = 0; i != 100; ++i) {
        deviation = t.correlation * deviation + own * noise(random);
        auto const exact = 20000 + 1000 * deviation + static_cast<double>(more.count());
        all.push_back(std::llround(exact / tick) * t.tick);
    }
    return all;
}

/// The records of 100 runs of 100 samples. The times of different ranks are independent, or those of an exchange: all
/// ranks wait for each other, and finish in one order.
std::vector<sonde::record> records_of(int ranks, times_of_rank const& t, bool exchange = false) {
    auto const all = on_ranks(ranks, {}, [&](process& self) {
        auto group = self.group();
        std::mt19937 random{exchange ? 1 : static_cast<unsigned>(self.rank() + 1)};
        std::vector<sonde::record> records;
        auto const plan =
            sonde::plan<>{}.warmup(0).until(sonde::samples{100}).synchronized(sonde::no_sync{}).timed_by(self.clock());
        for (int run = 0; run != 100; ++run) {
            auto const times = correlated(t, self.rank() + 1 == ranks ? t.more : 0ns, random);
            records.push_back(sonde::run(group, plan, working{&self, role::initiator, times}));
        }
        return records;
    });
    return all.front();
}

auto straggler_is(list const& wanted) {
    return [wanted](sonde::record const& r) { return r.stragglers == wanted; };
}

} // namespace

TEST_CASE("ranks that always finish in one order are no stragglers below an effect of 5 %") {
    // The median of the ranks' medians is 102 us.
    CHECK(stragglers_of(records_of({{100us}, {101us}, {103us}, {107us}})).empty());
    CHECK(stragglers_of(records_of({{100us}, {101us}, {103us}, {108us}})) == list{3});
    CHECK(stragglers_of(records_of({{100us}, {110us}})).empty()); // 4.8 % above the mean of both
    CHECK(stragglers_of(records_of({{100us}, {111us}})) == list{1});
    CHECK(stragglers_of(records_of({{120us}, {100us}, {100us}, {100us}, {120us}})) == list{0, 4});
}

TEST_CASE("a straggler's lag is how far its median is at least above the median rank's, equal on all ranks") {
    auto const clock = sonde::clock_properties{.resolution = sonde::seconds{2e-6}};
    for (auto const& r : records_of({{100us}, {101us}, {103us}, {120us}}, 40, clock)) {
        REQUIRE(r.straggler_lags.size() == 1);
        // The intervals are as wide as a tick: 119 us above the median of 101, 102, 104 and 119 us.
        CHECK(ns(r.straggler_lags[0].time) == 16000);
        CHECK(r.straggler_lags[0].share == doctest::Approx(16.0 / 103));
    }
    for (auto const& r : records_of({{120us}, {100us}, {100us}, {100us}, {120us}})) {
        REQUIRE(r.straggler_lags.size() == 2);
        CHECK(ns(r.straggler_lags[0].time) == 20000);
        CHECK(ns(r.straggler_lags[1].time) == 20000);
    }
    CHECK(stragglers_of(records_of({{0us}, {0us}, {100us}})).empty()); // of no time there is no share
}

TEST_CASE("a rank that is never the last is no straggler, and neither is one that is slower in few samples") {
    CHECK(stragglers_of(records_of({{100us}, {120us}, {100us}, {130us}})) == list{3});
    CHECK(stragglers_of(records_of({{100us}, {100us, 100us, 100us, 900us}})).empty());
    CHECK(stragglers_of(records_of({{100us}, {100us}, {900us, 900us, 900us, 100us}})) == list{2});
}

TEST_CASE("an effect below the resolution of the clock makes no straggler, whose batch divides it") {
    std::vector<std::vector<std::chrono::nanoseconds>> const times{{100ns}, {100ns}, {140ns}};
    CHECK(stragglers_of(records_of(times, 40, {.resolution = sonde::seconds{1e-9}})) == list{2});
    CHECK(stragglers_of(records_of(times, 40, {.resolution = sonde::seconds{50e-9}})).empty());
}

TEST_CASE("few samples, and times that change once in a record, tell nothing about a rank") {
    CHECK(stragglers_of(records_of({{100us}, {200us}}, 5)).empty());
    std::vector<std::chrono::nanoseconds> drift(22, 100us);
    drift.resize(40, 200us);
    CHECK(stragglers_of(records_of({{100us}, drift})).empty());
    drift.assign(14, 100us);
    drift.resize(40, 200us);
    CHECK(stragglers_of(records_of({{100us}, drift})).empty()); // 200 us in more than half of the samples
}

TEST_CASE("ranks of equal readings, and a rank alone, are no stragglers") {
    CHECK(stragglers_of(records_of({{100us}, {100us}, {100us}, {100us}})).empty());
    CHECK(stragglers_of(records_of({{0us}, {0us}})).empty());
    CHECK(stragglers_of(records_of({{100us}})).empty());
    auto const all = on_ranks(2, {}, [](process& self) {
        auto group = self.group();
        auto const plan = sonde::plan<>{}.warmup(0).until(sonde::samples{40}).timed_by(self.clock());
        auto const who = self.rank() == 0 ? role::initiator : role::responder;
        return sonde::run(group, plan, working{&self, who, {100us * (2 - self.rank())}});
    });
    CHECK(stragglers_of(all).empty());
}

TEST_CASE("run counts for each rank the samples in which no rank was slower, without ranks that do not count") {
    auto const all = on_ranks(4, {}, [](process& self) {
        auto group = self.group();
        auto const who = self.rank() == 3 ? role::responder : role::initiator;
        std::vector<std::vector<std::chrono::nanoseconds>> const work{
            {1us, 1us, 5us, 1us, 1us}, {2us, 3us, 2us, 2us, 2us}, {1us, 1us, 5us, 9us, 1us}, {9us}};
        auto const plan = sonde::plan<>{}.warmup(0).until(sonde::samples{5}).timed_by(self.clock());
        return sonde::run(group, plan, working{&self, who, work[static_cast<std::size_t>(self.rank())]}).slowest_counts;
    });
    for (auto const& slowest : all)
        CHECK(slowest ==
              (&slowest == &all.front() ? std::optional{std::vector<std::size_t>{1, 3, 2, 0}} : std::nullopt));
}

TEST_CASE("of equal ranks whose times are correlated, few records have a straggler, with and without ties") {
    for (int const ranks : {4, 16})
        for (auto const& t : {times_of_rank{0.9}, times_of_rank{0.9, 2us}, times_of_rank{0.7, 2us}, times_of_rank{0}}) {
            CAPTURE(ranks);
            CAPTURE(t.correlation);
            CAPTURE(t.tick.count());
            auto const records = records_of(ranks, t);
            CHECK(std::count_if(records.begin(), records.end(), straggler_is({})) >= 99);
        }
}

TEST_CASE("of ranks that wait for each other and always finish in one order, few records have a straggler below 5 %") {
    for (int const ranks : {2, 4, 16})
        for (double const correlation : {0.0, 0.7, 0.9}) {
            CAPTURE(ranks);
            CAPTURE(correlation);
            // Hardly 5 % above the median rank: 22.1 us of 2 ranks, 21 us of more.
            auto const records = records_of(ranks, {correlation, 1ns, ranks == 2 ? 2100ns : 1000ns}, true);
            CHECK(std::count_if(records.begin(), records.end(), straggler_is({})) >= 99);
        }
}

TEST_CASE("a slower rank is a straggler, unless the record is hardly longer than the correlation of its times") {
    for (int const ranks : {2, 4}) {
        CAPTURE(ranks);
        for (auto const& t : {times_of_rank{0, 1ns, 5us}, times_of_rank{0, 1us, 5us}, times_of_rank{0.5, 1ns, 8us},
                              times_of_rank{0.9, 1ns, 40us}}) {
            CAPTURE(t.correlation);
            CAPTURE(t.tick.count());
            auto const records = records_of(ranks, t);
            auto const wanted = t.correlation < 0.9 ? list{ranks - 1} : list{};
            CHECK(std::count_if(records.begin(), records.end(), straggler_is(wanted)) >= 95);
        }
    }
}
