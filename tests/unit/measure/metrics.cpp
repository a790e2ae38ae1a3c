// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

using namespace unit;

namespace {

/// A record of these times, of 4000 bytes in 4 messages and 2 hops each.
sonde::record of(std::vector<long long> const& times) {
    sonde::record r;
    r.series = of_ns(times);
    r.total = {4000, 4, 2};
    return r;
}

sonde::record const uneven = of({1000, 6000, 2000}); // median 2 us, mean 3 us

} // namespace

TEST_CASE("median and mean of a record are those of the slowest rank's series") {
    CHECK(ns(sonde::median(uneven)) == 2000);
    CHECK(ns(sonde::mean(uneven)) == 3000);
}

TEST_CASE("min and max of a record are its shortest and longest sample") {
    CHECK(ns(sonde::min(uneven)) == 1000);
    CHECK(ns(sonde::max(uneven)) == 6000);
}

TEST_CASE("stddev: the root of the mean square of deviations, over n - 1") {
    CHECK(ns(sonde::stddev(of({2000, 4000, 4000, 4000, 5000, 5000, 7000, 9000}))) == 2138); // 2000 sqrt(8 / 7)
    CHECK(ns(sonde::stddev(of({1000, 3000}))) == 1414);
    CHECK(ns(sonde::stddev(of({4000, 4000, 4000}))) == 0);
}

TEST_CASE("trimmed_mean: the mean without a proportion of the shortest and of the longest samples") {
    auto const ten = of({3000, 9000, 1000, 5000, 100'000, 7000, 2000, 8000, 6000, 4000});
    CHECK(ns(sonde::trimmed_mean(ten)) == 5500); // without 1000 and 100'000
    CHECK(ns(sonde::trimmed_mean(ten, 0.19)) == 5500);
    CHECK(ns(sonde::trimmed_mean(ten, 0.25)) == 5500);
    CHECK(ns(sonde::trimmed_mean(ten, 0)) == ns(sonde::mean(ten)));
    CHECK(ns(sonde::trimmed_mean(uneven, 0.4)) == 2000);
    CHECK(ns(sonde::trimmed_mean(of({5000, 5000, 5000, 1000, 5000, 9000, 9000}), 0.2)) == 5800); // ties at both cuts
    CHECK_THROWS_AS(sonde::trimmed_mean(ten, 0.5), std::invalid_argument);
    CHECK_THROWS_AS(sonde::trimmed_mean(ten, -0.1), std::invalid_argument);
}

TEST_CASE("min, max, stddev and trimmed_mean of a record without samples are 0") {
    for (auto const metric : {sonde::min, sonde::max, sonde::stddev}) CHECK(metric(of({})).count() == 0);
    CHECK(sonde::trimmed_mean(of({})).count() == 0);
    CHECK(sonde::tukey_outliers(of({})).above + sonde::tukey_outliers(of({})).below == 0);
    CHECK(sonde::stddev(of({1000})).count() == 0);
    CHECK(ns(sonde::trimmed_mean(of({1000}))) == 1000);
}

TEST_CASE("latency: the time of an iteration over its hops; the median time by default") {
    CHECK(ns(sonde::latency(uneven)) == 1000);
    CHECK(ns(sonde::latency(uneven, sonde::mean(uneven))) == 1500);
}

TEST_CASE("bandwidth: bytes over the time; the median time by default") {
    CHECK(std::llround(sonde::bandwidth(uneven)) == 2'000'000'000);
    CHECK(std::llround(sonde::bandwidth(uneven, 4us)) == 1'000'000'000);
}

TEST_CASE("bus_bandwidth: bandwidth times the bus factor; the median time by default") {
    CHECK(std::llround(sonde::bus_bandwidth(uneven)) == 2'000'000'000); // the default factor is 1
    auto over_a_ring = uneven;
    over_a_ring.total.bus_factor = 1.75;
    CHECK(std::llround(sonde::bus_bandwidth(over_a_ring)) == 3'500'000'000);
    CHECK(std::llround(sonde::bus_bandwidth(over_a_ring, 4us)) == 1'750'000'000);
    CHECK(std::llround(sonde::bandwidth(over_a_ring)) == 2'000'000'000);
}

TEST_CASE("message_rate: messages over the time; the median time by default") {
    CHECK(std::llround(sonde::message_rate(uneven)) == 2'000'000);
    CHECK(std::llround(sonde::message_rate(uneven, 4us)) == 1'000'000);
}

TEST_CASE_FIXTURE(one_rank, "a record without initiators has no times: metrics are 0 or empty, and has_times tells") {
    struct idle {
        void operator()() const {}
        sonde::role role() const { return role::idle; }
        sonde::traffic traffic() const { return {8, 1}; }
    };
    auto const r = sonde::run(group, plan(100), idle{});
    CHECK(r.initiators == 0);
    CHECK_FALSE(sonde::has_times(r));
    CHECK(sonde::has_times(uneven)); // made by hand
    CHECK(sonde::median(r).count() == 0);
    CHECK(sonde::quantile(r, 1).count() == 0);
    CHECK(sonde::mean(r).count() == 0);
    CHECK(sonde::min(r).count() == 0);
    CHECK(sonde::max(r).count() == 0);
    CHECK(sonde::stddev(r).count() == 0);
    CHECK(sonde::trimmed_mean(r).count() == 0);
    CHECK(sonde::latency(r).count() == 0);
    CHECK(sonde::bandwidth(r) == 0);
    CHECK(sonde::bus_bandwidth(r) == 0);
    CHECK(sonde::message_rate(r) == 0);
    CHECK_FALSE(sonde::percentile(r, 0.5).has_value());
    CHECK_FALSE(sonde::percentile_bound(r, 0.5).has_value());
    CHECK_FALSE(sonde::median_interval(r).has_value());
    CHECK(sonde::estimate_median(r).value.count() == 0);
    CHECK(sonde::histogram_of(r).count() == 0);
    CHECK(sonde::to_string(r.flags) == "-");
}

TEST_CASE("percentile: a percentile if there are enough samples to bound it, else none") {
    std::vector<long long> times;
    for (int i = 1; i <= 58; ++i) times.push_back(i * 100);
    CHECK_FALSE(sonde::percentile(of(times), 0.95).has_value());
    times.push_back(5900);
    REQUIRE(sonde::percentile(of(times), 0.95).has_value());
    CHECK(ns(*sonde::percentile(of(times), 0.95)) == 5610); // rank 0.95 * 58 after the first
    CHECK_FALSE(sonde::percentile(of(times), 0.99).has_value());
}

TEST_CASE("median_interval of a record: its series' interval, corrected for bias, and no narrower than the clock's "
          "resolution") {
    CHECK_FALSE(sonde::median_interval(uneven).has_value());
    auto ten = of({100, 1000, 300, 800, 500, 600, 700, 400, 900, 200}); // no two adjacent ones are equal
    CHECK(sonde::estimate_median(ten).tau == 1);
    CHECK(ns(sonde::median_interval(ten)->low) == 200);
    CHECK(ns(sonde::median_interval(ten)->high) == 900);
    CHECK(ns(sonde::median_interval(ten, 0.99)->low) == 100);
    ten.clock_properties.resolution = 4us;
    ten.batch = 5;
    CHECK(ns(sonde::median_interval(ten)->low) == 150);
    CHECK(ns(sonde::median_interval(ten)->high) == 950);
}

TEST_CASE("a rate over no time is 0, as of times below the tick of a coarse clock, and a mean of no samples") {
    auto const unread = of({0, 0, 0});
    CHECK(sonde::bandwidth(unread) == 0);
    CHECK(sonde::bus_bandwidth(unread) == 0);
    CHECK(sonde::message_rate(unread) == 0);
    CHECK(sonde::mean(of({})).count() == 0);
}
