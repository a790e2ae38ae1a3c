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

/// 100 samples with these numbers of samples in which each rank was the slowest.
sonde::record counted(std::vector<std::size_t> slowest) {
    sonde::record r;
    r.ranks = r.initiators = static_cast<int>(slowest.size());
    for (std::size_t i = 0; i != 100; ++i) r.series.emplace_back(i % 2 == 0 ? 1.0 : 2.0);
    r.stop.samples = 100;
    r.slowest_counts = std::move(slowest);
    return r;
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

/// The records of 100 runs of 100 samples. The times of different ranks are independent.
std::vector<sonde::record> records_of(int ranks, times_of_rank const& t) {
    auto const all = on_ranks(ranks, {}, [&](process& self) {
        auto group = self.group();
        std::mt19937 random{static_cast<unsigned>(self.rank() + 1)};
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

auto straggler_is(std::vector<int> const& wanted) {
    return [wanted](sonde::record const& r) { return sonde::stragglers(r) == wanted; };
}

} // namespace

TEST_CASE("a straggler is the slowest significantly often; a rank that may be slowest by chance is not") {
    CHECK(sonde::stragglers(counted({25, 25, 25, 25})).empty());
    // P(B >= 38) = 0.0027, P(B >= 39) = 0.0013 for B ~ Bin(100, 1/4); 0.01 / 4 = 0.0025.
    CHECK(sonde::stragglers(counted({38, 22, 20, 20})).empty());
    CHECK(sonde::stragglers(counted({39, 21, 20, 20})) == std::vector{0});
    CHECK(sonde::stragglers(counted({0, 50, 50, 0})) == std::vector{1, 2});
}

TEST_CASE("ranks of equal readings are not stragglers") {
    CHECK(sonde::stragglers(counted({100, 100, 100, 100})).empty());
    CHECK(sonde::stragglers(counted({60, 60, 60, 60})).empty());
    CHECK(sonde::stragglers(counted({90, 50, 50, 50})) == std::vector{0});
}

TEST_CASE("correlated samples count for fewer") {
    auto r = counted({39, 21, 20, 20});
    for (std::size_t i = 0; i != 100; ++i) r.series[i] = sonde::seconds{i / 10 % 2 == 0 ? 1.0 : 2.0};
    CHECK(sonde::stragglers(r).empty());
}

TEST_CASE("one counting rank alone has no stragglers") {
    auto r = counted({100, 0});
    r.initiators = 1;
    CHECK(sonde::stragglers(r).empty());
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
              (&slowest == &all.front() ? std::vector<std::size_t>{1, 3, 2, 0} : std::vector<std::size_t>{}));
}

TEST_CASE("of equal ranks whose times are correlated, few records have a straggler, with and without ties") {
    for (int const ranks : {4, 16})
        for (auto const& t : {times_of_rank{0.9}, times_of_rank{0.9, 2us}, times_of_rank{0.7, 2us}, times_of_rank{0}}) {
            CAPTURE(ranks);
            CAPTURE(t.correlation);
            CAPTURE(t.tick.count());
            auto const records = records_of(ranks, t);
            CHECK(std::count_if(records.begin(), records.end(), straggler_is({})) >= 97);
        }
}

TEST_CASE("a slower rank is a straggler, in every sample or in most, whether times are correlated or not") {
    for (int const ranks : {2, 4}) {
        CAPTURE(ranks);
        for (auto const& t : {times_of_rank{0.9, 1ns, 10us}, times_of_rank{0.9, 2us, 10us}, times_of_rank{0, 1ns, 2us},
                              times_of_rank{0.5, 1us, 3us}}) {
            CAPTURE(t.correlation);
            CAPTURE(t.tick.count());
            auto const records = records_of(ranks, t);
            CHECK(std::count_if(records.begin(), records.end(), straggler_is({ranks - 1})) >= 99);
        }
    }
}

TEST_CASE("the autocorrelation time of being the slowest is that of the ranks' runs, and 1 if it never changes") {
    auto const tau_of = [](std::vector<std::chrono::nanoseconds> const& first, std::size_t samples) {
        auto const all = on_ranks(2, {}, [&](process& self) {
            auto group = self.group();
            auto const plan = sonde::plan<>{}.warmup(0).until(sonde::samples{samples}).timed_by(self.clock());
            working pattern{&self, role::initiator,
                            self.rank() == 0 ? first : std::vector<std::chrono::nanoseconds>{2us}};
            return *sonde::run(group, plan, pattern).slowest_tau;
        });
        CHECK(all[0] == all[1]);
        return all[0];
    };
    CHECK(tau_of({3us}, 400) == 1);
    CHECK(tau_of({2us}, 400) == 1);      // ties
    CHECK(tau_of({1us, 3us}, 400) == 1); // in turn: less than independent
    CHECK(tau_of({1us, 1us, 1us, 1us, 3us, 3us, 3us, 3us}, 4000) == doctest::Approx(2).epsilon(0.01));
}
