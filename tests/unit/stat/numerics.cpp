// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <span>
#include <vector>

using namespace unit;

// Known errors of other measuring tools, as far as no other test is named after them.

namespace {

/// Times in no order about the median, times a power of two: scaled without any rounding.
std::vector<sonde::seconds> uneven(std::size_t n, double scale) {
    std::vector<sonde::seconds> all;
    for (std::size_t i = 0; i != n; ++i) all.emplace_back(scale * static_cast<double>(1000 + i * 2473 % n));
    return all;
}

/// The numbers of samples at which a rule is evaluated.
template <sonde::StoppingRule R>
std::size_t stops_after(R rule, std::vector<sonde::seconds> const& times) {
    std::span<sonde::seconds const> const all{times};
    for (std::size_t n = 0;;) {
        auto const block = rule.next(n);
        if (n + block > all.size()) return 0;
        n += block;
        if (rule(sonde::progress{all.subspan(n - block, block), {}, all.first(n), n, {}}).stop) return n;
    }
}

sonde::record of(std::vector<sonde::seconds> const& series) {
    sonde::record r;
    r.series = series;
    return r;
}

/// Every sample but those named begins in time.
struct late_start {
    std::vector<std::size_t> late_ones;
    bool in_time = true;

    void operator()(auto&, std::size_t i) {
        in_time = true;
        for (auto const late : late_ones) in_time = in_time && late != i;
    }
    late_start* global_clock() { return this; }
    void synchronize(auto&) const {}
    bool on_time() const { return in_time; }
    sonde::seconds to_global(sonde::seconds t) const { return t; }
    sonde::clock_deviation measure_deviation(auto&) const { return {}; }
};

} // namespace

TEST_CASE("deviations of nanoseconds are as accurate as those of seconds") {
    constexpr double nano = 0x1p-30;
    auto const large = uneven(4001, 1), small = uneven(4001, nano);
    auto const noise = stops_after(sonde::noise_converged{0.005}, large);
    CHECK(noise > 65);
    CHECK(stops_after(sonde::noise_converged{0.005}, small) == noise);
    auto const precise = stops_after(sonde::relative_error{0.05}, large);
    CHECK(precise > 47);
    CHECK(stops_after(sonde::relative_error{0.05}, small) == precise);
    auto const here = sonde::estimate_median(large), there = sonde::estimate_median(small);
    CHECK(there.value == here.value * nano);
    CHECK(there.tau == here.tau);
    CHECK(there.interval->low == here.interval->low * nano);
    CHECK(there.interval->high == here.interval->high * nano);
    CHECK(*there.relative_error() > 0);
}

TEST_CASE("figures of one sample are that sample, and of none are zero") {
    auto const one = of(of_ns({37}));
    CHECK(sonde::sample_count(one) == 1);
    CHECK(ns(sonde::mean(one)) == 37);
    CHECK(ns(sonde::median(one)) == 37);
    CHECK(ns(sonde::quantile(one, 0)) == 37);
    CHECK(ns(sonde::quantile(one, 1)) == 37);
    CHECK_FALSE(sonde::median_interval(one).has_value());
    CHECK(sonde::histogram_of(one).count() == 1);
    CHECK(ns(sonde::histogram_of(one).sum()) == 37);
    CHECK(sonde::sample_count(of({})) == 0);
    CHECK(sonde::histogram_of(of({})).count() == 0);
    CHECK(ns(sonde::histogram_of(of({})).sum()) == 0);
}

TEST_CASE("percentiles 0, 50 and 100 are the minimum, the median and the maximum, also of a histogram") {
    auto const times = of_ns({90, 10, 50, 20, 70});
    auto const r = of(times);
    auto const counted = sonde::histogram_of(r);
    CHECK(ns(sonde::quantile(r, 0)) == 10);
    CHECK(ns(sonde::quantile(r, 0.5)) == 50);
    CHECK(ns(sonde::quantile(r, 1)) == 90);
    CHECK(counted.quantile(0) == counted.min()); // not the middle of its bucket
    CHECK(ns(counted.quantile(0.5)) == 50);
    CHECK(counted.quantile(1) == counted.max());
}

TEST_CASE_FIXTURE(one_rank, "repeated evaluation does not change a series") {
    auto const series = [&](auto rule) {
        std::size_t i = 0;
        auto const work = [&] { clock.advance(std::chrono::nanoseconds{1000 + i++ * 7919 % 997}); };
        return sonde::run(group, plan(1).until(rule), work).series;
    };
    auto const looked_at = series(sonde::relative_error{0.01} || sonde::noise_converged{1e-9});
    CHECK(looked_at.size() > 100);
    CHECK(series(sonde::samples{looked_at.size()}) == looked_at);
}

TEST_CASE_FIXTURE(one_rank, "a series whose last samples began too late has the requested number without them") {
    auto const measured = [&](auto rule, std::vector<std::size_t> late) {
        auto const how = plan(1).until(rule).synchronized(late_start{late});
        std::size_t i = 0;
        return sonde::run(group, how, [&] { clock.advance(std::chrono::nanoseconds{1000 * ++i}); });
    };
    auto const counted = measured(sonde::samples{5}, {3, 4, 6});
    CHECK(ns(counted.series) == std::vector<long long>{1000, 2000, 3000, 6000, 8000});
    CHECK(counted.stop.samples == 5);
    CHECK(counted.global->late_samples == 3);
    // Evaluations after 1, 2, 3 samples, at 1, 3 and 6 us; the one that ends the time is late.
    auto const timed = measured(sonde::time_budget{sonde::seconds{6us}}, {2});
    CHECK(ns(timed.series) == std::vector<long long>{1000, 2000});
    CHECK(timed.stop.samples == 2);
    CHECK(timed.stop.reason == sonde::stop_reason::time_budget);
    CHECK(timed.global->series.size() == 2);
}
