// SPDX-License-Identifier: BSL-1.0

// Estimators of spread on series without noise, of two values, and in ticks of a clock: finite, and no outcome without
// a difference.

#include "../../support.hpp"
#include "coarse_series.hpp"

#include <sonde/measure/record.hpp>
#include <sonde/stat/autocorrelation.hpp>
#include <sonde/stop/precision.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

using namespace unit;

namespace {

constexpr double largest = 1e6; // of a finite figure of these series

sonde::record recorded(coarse_kind const& kind, double ns, unsigned seed) {
    sonde::record r;
    r.ranks = r.initiators = 4;
    r.series = coarse_series(kind, ns, 100, seed);
    r.stop.samples = r.series.size();
    r.clock_properties.resolution = sonde::seconds{1e-9 * kind.tick};
    return r;
}

} // namespace

TEST_CASE("spread: autocorrelation times, intervals and errors are finite, and 1, the median and 0 of equal samples") {
    for (auto const& kind : coarse_kinds())
        for (unsigned seed = 1; seed <= 20; ++seed) {
            CAPTURE(kind.name);
            auto const r = recorded(kind, 390, seed);
            auto const tau = sonde::autocorrelation_time(r.series), bound = sonde::autocorrelation_time_bound(r.series);
            CHECK((tau >= 1 && tau < 20));
            CHECK((bound >= tau && bound < largest));
            auto const found = sonde::estimate_median(r);
            REQUIRE(found.interval);
            CHECK((found.interval->low <= found.value && found.value <= found.interval->high));
            REQUIRE(found.relative_error());
            CHECK((*found.relative_error() >= 0 && *found.relative_error() < 0.05));
            if (kind.deviation == 0 && kind.step == 0) CHECK((tau == 1 && found.interval->low >= 380e-9 * 1s));
        }
    sonde::record zero;
    zero.series.assign(100, sonde::seconds{});
    CHECK(sonde::autocorrelation_time(zero.series) == 1);
    CHECK(!sonde::estimate_median(zero).relative_error()); // nothing is relative to 0
    CHECK(sonde::estimate_median(zero).interval->high == 0s);
    zero.clock_properties.resolution = 1us;
    CHECK(sonde::estimate_median(zero).interval->low == 0s);
    CHECK(sonde::estimate_median(zero).interval->high == 1us);
}
TEST_CASE("spread: the next reading of a coarse clock is no outlier, a sample of three times the length is one") {
    for (auto const& kind : coarse_kinds()) {
        CAPTURE(kind.name);
        for (unsigned seed = 1; seed <= 20; ++seed) {
            auto r = recorded(kind, 394, seed);
            if (kind.tick > 0 && kind.deviation < 4) CHECK(sonde::tukey_outliers(r).above <= 1); // two ticks: 11 ns
            r.series[50] = sonde::seconds{390e-9};
            auto const before = sonde::tukey_outliers(r).above;
            r.series[50] *= 3;
            CHECK(sonde::tukey_outliers(r).above == before + 1);
        }
    }
    std::vector<sonde::seconds> readings(100, sonde::seconds{390e-9});
    for (std::size_t i = 0; i < 100; i += 10) readings[i] = sonde::seconds{400e-9};
    CHECK(sonde::tukey_outliers(readings).above == 10);
    CHECK(sonde::tukey_outliers(readings, sonde::seconds{10e-9}).above == 0);
    CHECK(sonde::tukey_outliers(readings, sonde::seconds{9e-9}).above == 10);
}
TEST_CASE("spread: histograms of coarse times have the quantiles of the series") {
    for (auto const& kind : coarse_kinds()) {
        CAPTURE(kind.name);
        auto const r = recorded(kind, 390, 1);
        auto const h = sonde::histogram_of(r);
        for (double const q : {0., 0.1, 0.5, 0.9, 1.}) {
            auto const exact = sonde::quantile(r, q);
            CHECK(h.quantile(q) > exact * 0.995);
            CHECK(h.quantile(q) < exact * 1.005);
        }
    }
}
TEST_CASE("spread: rules end for equal samples, and precision is not claimed below the resolution of the clock") {
    for (auto const& kind : coarse_kinds()) {
        CAPTURE(kind.name);
        auto const r = recorded(kind, 390, 1);
        auto const shown = [&](auto rule) {
            sonde::decision made;
            for (std::size_t n = 1; n <= r.series.size() && !made.stop; ++n)
                made = rule(
                    sonde::progress{{&r.series[n - 1], 1}, {}, {r.series.data(), n}, n, r.clock_properties.resolution});
            return made;
        };
        CHECK(shown(sonde::noise_converged{}).reason == sonde::stop_reason::noise_floor);
        CHECK(shown(sonde::relative_error{0.05}).stop);
        if (kind.tick > 0) CHECK_FALSE(shown(sonde::relative_error{0.001}).stop);
    }
}
