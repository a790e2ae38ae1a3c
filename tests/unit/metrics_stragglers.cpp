// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <doctest/doctest.h>

#include <cstddef>
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
