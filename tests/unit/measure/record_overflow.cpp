// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

using namespace unit;

namespace {

/// Samples of 1 us, 2 us ... with a capacity of 4 in the record's series.
sonde::record overflowing(one_rank& one, std::size_t samples) {
    auto took = 0us;
    return sonde::run(one.group, one.plan(samples).keep({.samples = 4}), [&] { one.clock.advance(took += 1us); });
}

} // namespace

TEST_CASE_FIXTURE(one_rank, "a series holds the plan's capacity; further samples are counted in the overflow") {
    auto const r = overflowing(*this, 9);
    CHECK(ns(r.series) == std::vector<long long>{1000, 2000, 3000, 4000});
    REQUIRE(r.overflow.size() == 1);
    CHECK(r.overflow.front().count() == 5);
    CHECK(r.stop.samples == 9);
    CHECK(sonde::sample_count(r) == 9);
    CHECK(ns(r.over_ranks.mean) == 5000);
    CHECK(ns(sonde::mean(r)) == 5000);
    CHECK(ns(sonde::quantile(r, 1)) == 9000);
    CHECK(ns(sonde::quantile(r, 0)) == 1000);
}

TEST_CASE_FIXTURE(one_rank, "quantiles of a full series are of all samples, within 2^-8") {
    auto const r = overflowing(*this, 9);
    CHECK(ns(sonde::median(r)) > 5000 - 5000 / 256);
    CHECK(ns(sonde::median(r)) < 5000 + 5000 / 256);
}

TEST_CASE_FIXTURE(one_rank, "a percentile of a full series needs enough samples of all, not of the series") {
    CHECK_FALSE(sonde::percentile(overflowing(*this, 58), 0.95).has_value());
    CHECK(sonde::percentile(overflowing(*this, 59), 0.95).has_value());
}

TEST_CASE_FIXTURE(one_rank,
                  "minimum and maximum of a full series are of all samples; deviation and trimmed mean within 2^-8") {
    auto const r = overflowing(*this, 9);
    CHECK(ns(sonde::min(r)) == 1000);
    CHECK(ns(sonde::max(r)) == 9000);
    auto const within = [](sonde::seconds found, double expected_ns, double error_ns) {
        return std::fabs(found.count() * 1e9 - expected_ns) <= error_ns;
    };
    CHECK(within(sonde::stddev(r), std::sqrt(7.5) * 1000, std::sqrt(255 / 5.0) * 1000 / 256)); // of 5, 6 ... 9 us
    CHECK(within(sonde::trimmed_mean(r, 0.25), 5000, 5000.0 / 256));
    CHECK(within(sonde::trimmed_mean(r, 0), 5000, 5000.0 / 256));
    auto falling = 10us;
    auto const other = sonde::run(group, plan(9).keep({.samples = 4}), [&] { clock.advance(falling -= 1us); });
    CHECK(ns(sonde::min(other)) == 1000);
    CHECK(ns(sonde::max(other)) == 9000);
    CHECK(within(sonde::trimmed_mean(other, 0.4), 5000, 5000.0 / 256)); // 4, 5 and 6 us
}

TEST_CASE_FIXTURE(one_rank, "sample means are kept for the samples in the series") {
    auto const r = sonde::run(group, plan(9).keep({.sample_means = true, .samples = 4}), [&] { clock.advance(1us); });
    CHECK(r.sample_means.size() == 4);
}

TEST_CASE_FIXTURE(one_rank, "a rule's block is limited to 65536 samples, after which the rule is evaluated") {
    auto const r = sonde::run(group, plan(150'000).keep({.samples = 10}), [&] { clock.advance(1ns); });
    CHECK(r.stop.samples == 150'000);
    CHECK(group.reductions == 1 + 3 + 2);
}

TEST_CASE_FIXTURE(one_rank, "a capacity of 0 samples is refused") {
    CHECK_THROWS_AS(sonde::run(group, plan(1).keep({.samples = 0}), [] {}), std::invalid_argument);
}

TEST_CASE_FIXTURE(one_rank, "a series that is exactly full has no overflow") {
    auto const r = overflowing(*this, 4);
    CHECK(r.series.size() == 4);
    CHECK(r.overflow.empty());
    CHECK(ns(sonde::median(r)) == 2500);
}
