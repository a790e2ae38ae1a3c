// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

using namespace unit;

TEST_CASE("median: of 1, 2, 3; of an even number; of one; in any order") {
    CHECK(ns(sonde::median(of_ns({1, 2, 3}))) == 2);
    CHECK(ns(sonde::median(of_ns({10, 20, 30, 40}))) == 25);
    CHECK(ns(sonde::median(of_ns({40, 10, 30, 20}))) == 25);
    CHECK(ns(sonde::median(of_ns({7}))) == 7);
    CHECK(ns(sonde::median(of_ns({9, 1}))) == 5);
}

TEST_CASE("quantile: linear between closest ranks (type 7)") {
    auto const four = of_ns({1000, 2000, 3000, 4000});
    CHECK(ns(sonde::quantile(four, 0.25)) == 1750);
    CHECK(ns(sonde::quantile(four, 0.75)) == 3250);
    CHECK(ns(sonde::quantile(four, 1.0 / 3)) == 2000);
    auto const ten = of_ns({100, 200, 300, 400, 500, 600, 700, 800, 900, 1000});
    CHECK(ns(sonde::quantile(ten, 0.9)) == 910);
    CHECK(ns(sonde::quantile(ten, 0.99)) == 991);
}

TEST_CASE("quantile: 0 is the minimum, 1 the maximum") {
    auto const times = of_ns({30, 10, 20});
    CHECK(ns(sonde::quantile(times, 0)) == 10);
    CHECK(ns(sonde::quantile(times, 1)) == 30);
    CHECK(ns(sonde::quantile(of_ns({5}), 0)) == 5);
    CHECK(ns(sonde::quantile(of_ns({5}), 1)) == 5);
}

TEST_CASE("quantile: the times are not changed") {
    auto const times = of_ns({30, 10, 20});
    static_cast<void>(sonde::quantile(times, 0.5));
    CHECK(ns(times) == std::vector<long long>{30, 10, 20});
}

TEST_CASE("quantile: an empty series, or a fraction outside 0 to 1, is refused") {
    auto const times = of_ns({1, 2});
    CHECK_THROWS_AS(sonde::quantile({}, 0.5), std::invalid_argument);
    CHECK_THROWS_AS(sonde::quantile(times, -0.01), std::invalid_argument);
    CHECK_THROWS_AS(sonde::quantile(times, 1.01), std::invalid_argument);
    CHECK_THROWS_AS(sonde::quantile(times, std::nan("")), std::invalid_argument);
}

TEST_CASE("enough_samples: the minimum numbers that bound a percentile from above with 95 %") {
    struct {
        double q;
        std::size_t least;
    } const known[] = {{0.9, 29}, {0.95, 59}, {0.99, 299}, {0.999, 2995}};
    for (auto const& k : known) {
        CAPTURE(k.q);
        CHECK(sonde::enough_samples(k.least, k.q));
        CHECK_FALSE(sonde::enough_samples(k.least - 1, k.q));
        CHECK(sonde::enough_samples(10 * k.least, k.q));
    }
    CHECK(sonde::enough_samples(1, 0.5, 0.5)); // the bound is as confident as it must be, without rounding
    CHECK_FALSE(sonde::enough_samples(1, 0.5, 0.75));
}

TEST_CASE("enough_samples: a percentile in percent is refused") {
    CHECK_THROWS_AS(static_cast<void>(sonde::enough_samples(1000, 99)), std::invalid_argument);
    CHECK_THROWS_AS(static_cast<void>(sonde::enough_samples(1000, -0.01)), std::invalid_argument);
}

TEST_CASE("enough_samples: small percentiles are bounded from below, by as many samples as large ones from above") {
    CHECK_FALSE(sonde::enough_samples(1, 0.01));
    CHECK_FALSE(sonde::enough_samples(1, 0.4));
    CHECK_FALSE(sonde::enough_samples(1'000'000, 0.0));
    struct {
        double q;
        std::size_t least;
    } const known[] = {{0.5, 5}, {0.25, 11}, {0.1, 29}, {0.01, 299}, {0.001, 2995}};
    for (auto const& k : known) {
        CAPTURE(k.q);
        CHECK(sonde::enough_samples(k.least, k.q));
        CHECK_FALSE(sonde::enough_samples(k.least - 1, k.q));
    }
    sonde::record r;
    r.series = {sonde::seconds{1}};
    CHECK(!sonde::percentile(r, 0.01));
    r.series.assign(299, sonde::seconds{1});
    CHECK(sonde::percentile(r, 0.01) == sonde::seconds{1});
}

TEST_CASE("enough_samples: more confidence takes more samples; the maximum itself is never bounded") {
    CHECK(sonde::enough_samples(459, 0.99, 0.99));
    CHECK_FALSE(sonde::enough_samples(458, 0.99, 0.99));
    CHECK_FALSE(sonde::enough_samples(1'000'000, 1.0));
    CHECK_FALSE(sonde::enough_samples(0, 0.5));
}

TEST_CASE("order_statistics: any rank, in any order of selections, with many and with few equal times") {
    std::mt19937_64 bits{1961};
    for (unsigned const different : {1u, 10u, 100'000u}) {
        std::vector<sonde::seconds> times;
        while (times.size() != 3000) times.emplace_back(static_cast<double>(bits() % different));
        auto sorted = times;
        std::sort(sorted.begin(), sorted.end());
        std::vector<std::size_t> ranks(times.size());
        std::iota(ranks.begin(), ranks.end(), 0);
        for (int order = 0; order != 3; ++order) { // ascending, then shuffled
            sonde::detail::order_statistics selected{times};
            for (auto const k : ranks) REQUIRE(selected[k] == sorted[k]);
            std::shuffle(ranks.begin(), ranks.end(), bits);
        }
    }
}
