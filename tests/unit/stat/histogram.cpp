// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <sonde/stat/histogram.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <ratio>
#include <span>
#include <stdexcept>
#include <vector>

using namespace unit;
using sonde::histogram;
using sonde::seconds;

namespace {

using coarse = sonde::basic_histogram<4, std::nano, sonde::detail::compact_counters>;

constexpr seconds much_longer{1e6};

template <class H>
H of(std::vector<seconds> const& times) {
    H all;
    for (auto const t : times) all.add(t);
    return all;
}

/// All members of a histogram.
template <class H>
std::vector<double> contents(H const& h) {
    std::vector<double> all(H::sums + 2);
    h.write_sums(std::span<double, H::sums>{all.data(), H::sums});
    h.write_extremes(std::span<double, 2>{all.data() + H::sums, 2});
    return all;
}

template <class H>
H merged(H a, H const& b) {
    return a += b;
}

/// The stored value of a time that is neither the minimum nor the maximum.
template <class H>
seconds seen(seconds t) {
    return of<H>({seconds{}, t, much_longer}).quantile(0.5);
}

/// The worst error over twelve decades, relative to the time; times are whole ticks.
template <class H>
double worst(double tick, double from) {
    double most = 0;
    for (double n = from; n * tick < 1000; n = std::floor(n * 1.0037) + 1) {
        seconds const t{n * tick};
        most = std::max(most, std::fabs((seen<H>(t) - t).count()) / t.count());
    }
    return most;
}

/// Lognormal times with this median.
std::vector<seconds> lognormal(std::size_t n, double median, double sigma, unsigned seed) {
    std::mt19937_64 bits{seed};
    std::normal_distribution<double> normal;
    std::vector<seconds> times;
    for (std::size_t i = 0; i != n; ++i) times.emplace_back(median * std::exp(sigma * normal(bits)));
    return times;
}

} // namespace

TEST_CASE("histogram: a time from 1 ns to 1000 s is known within half of 2^-7 of itself") {
    CHECK(worst<histogram>(1e-12, 1000) <= 1.0 / 256);
    CHECK(worst<coarse>(1e-9, 1) <= 1.0 / 32);
}

TEST_CASE("histogram: a bucket of one tick holds its time exactly") {
    for (int n = 0; n != 32; ++n) CHECK(ns(seen<coarse>(std::chrono::nanoseconds{n})) == n);
    CHECK(seen<coarse>(32ns) == seen<coarse>(33ns));
    for (int n = 0; n != 256; ++n) CHECK(std::llround(1e12 * seen<histogram>(seconds{1e-12 * n}).count()) == n);
}

TEST_CASE("histogram: a quantile is neither below the minimum nor above the maximum") {
    for (long long const ns : {100'003, 100'600, 101'100}) { // in the lower and the upper half of a bucket
        histogram h;
        for (int i = 0; i != 3; ++i) h.add(std::chrono::nanoseconds{ns});
        CHECK(h.quantile(0.5) == h.min());
        CHECK(h.quantile(0.5) == h.max());
    }
}

TEST_CASE("histogram: a quantile is that of the times within half a bucket, for any distribution") {
    for (unsigned seed = 1; seed != 9; ++seed) {
        auto const times = lognormal(10 + 217 * seed, 1e-9 * std::pow(12.0, seed), 2, seed);
        auto const h = of<histogram>(times);
        for (double const q : {0.0, 0.001, 0.25, 0.5, 0.9, 0.99, 1.0}) {
            auto const exact = sonde::quantile(times, q);
            CHECK(std::fabs((h.quantile(q) - exact).count()) <= exact.count() / 256 + 1e-12);
        }
    }
    CHECK(ns(of<histogram>({1us, 1s}).quantile(0.5)) == 500'000'500);
}

TEST_CASE("histogram: for_each calls with the midpoint and the number of times of each bucket, in ascending order") {
    sonde::basic_histogram<2, std::nano> h;
    for (auto const t : {41ns, 3ns, 44ns, 3ns, 9ns, 47ns}) h.add(t);
    std::vector<long long> found;
    h.for_each([&](sonde::seconds t, std::uint64_t count) {
        found.push_back(ns(t * 10));
        found.push_back(static_cast<long long>(count));
    });
    CHECK(found == std::vector<long long>{30, 2, 85, 1, 435, 3}); // of 3, 8 to 9, 40 to 47
}

TEST_CASE("histogram: count, sum, min and max are exact") {
    auto const h = of<histogram>({1234567ns, 1ns, 999'999'999ns, 1ns});
    CHECK(h.count() == 4);
    CHECK(ns(h.sum()) == 1'001'234'568);
    CHECK(ns(h.min()) == 1);
    CHECK(ns(h.max()) == 999'999'999);
    CHECK(ns(h.quantile(0)) == 1);
    CHECK(ns(h.quantile(1)) == 999'999'999);
}

TEST_CASE("histogram: negative, NaN and too long times are counted") {
    auto const nan = __FINITE_MATH_ONLY__ ? 0 : std::numeric_limits<double>::quiet_NaN(); // if the compiler knows any
    auto const h =
        of<histogram>({seconds{-1}, seconds{0.4e-12}, seconds{nan}, 1us, seconds{1200}, much_longer, seconds{1e30}});
    CHECK(h.count() == 7);
    CHECK(h.underflow() == 3);
    CHECK(h.overflow() == 3);
    CHECK(ns(h.min()) == 0);
    CHECK(h.quantile(0.75) == h.max());
    CHECK(of<histogram>({seconds{1000}}).overflow() == 0);
    CHECK(of<coarse>({seconds{1000}, seconds{1100}}).overflow() == 1);
    CHECK(ns(of<coarse>({seconds{1100}}).max()) == 1'100'000'000'000);
}

TEST_CASE("histogram: without times it is empty, and has no quantile") {
    histogram const none;
    CHECK(none.count() == 0);
    CHECK(none.min() == seconds{});
    CHECK(none.max() == seconds{});
    CHECK_THROWS_AS(none.quantile(0.5), std::invalid_argument);
    auto const one = of<histogram>({1us});
    CHECK(ns(one.quantile(0.5)) == 1000);
    for (double const q : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()})
        CHECK_THROWS_AS(one.quantile(q), std::invalid_argument);
}

TEST_CASE("histogram: a clock's own ticks and seconds are counted alike") {
    histogram ticks, times;
    for (int n : {0, 1, 7, 1000, 123'456'789}) {
        ticks.add(std::chrono::nanoseconds{n});
        times.add(seconds{std::chrono::nanoseconds{n}});
    }
    CHECK(contents(ticks) == contents(times));
    ticks = {};
    ticks.add(std::chrono::duration<long long, std::pico>{-5});
    CHECK(ticks.underflow() == 1);
}

TEST_CASE("histogram: merging equals adding all times to one, in any order") {
    std::vector<std::vector<seconds>> const parts{lognormal(300, 1e-6, 1, 1),
                                                  {},
                                                  lognormal(1000, 1e-3, 2, 2),
                                                  {seconds{1000}, seconds{}},
                                                  lognormal(10, 1e-8, 1, 3)};
    std::vector<seconds> everything;
    for (auto const& part : parts) everything.insert(everything.end(), part.begin(), part.end());
    auto const whole = contents(of<histogram>(everything));
    auto const a = of<histogram>(parts[0]), b = of<histogram>(parts[1]), c = of<histogram>(parts[2]),
               d = of<histogram>(parts[3]), e = of<histogram>(parts[4]);
    CHECK(contents(merged(merged(merged(merged(a, b), c), d), e)) == whole);
    CHECK(contents(merged(a, merged(b, merged(c, merged(d, e))))) == whole);
    CHECK(contents(merged(merged(e, merged(d, b)), merged(c, a))) == whole);
}

TEST_CASE("histogram: one reduction of sums and one of extremes merge those of all ranks") {
    auto const found = on_ranks(3, {}, [](process& self) {
        auto const mine = of<histogram>(lognormal(100, 1e-6, 1, static_cast<unsigned>(self.rank())));
        std::vector<double> sums(histogram::sums);
        std::array<double, 2> extremes{};
        mine.write_sums(std::span<double, histogram::sums>{sums.data(), histogram::sums});
        mine.write_extremes(extremes);
        auto group = self.group();
        group.all_reduce(sums, sonde::reduction::sum);
        group.all_reduce(extremes, sonde::reduction::max);
        return contents(
            histogram::from_sums(std::span<double const, histogram::sums>{sums.data(), histogram::sums}, extremes));
    });
    histogram all;
    for (unsigned rank = 0; rank != 3; ++rank) all += of<histogram>(lognormal(100, 1e-6, 1, rank));
    for (auto const& one : found) {
        CHECK(one == contents(all));
        CHECK(one[histogram::buckets] == std::round(1e12 * all.sum().count()));
    }
}

TEST_CASE("compact_counters: a count continues beyond 32 bits, and does not change any other") {
    sonde::detail::compact_counters<3> counts;
    counts.add(1, 0xffff'ffff);
    counts.add(1);
    CHECK(counts[1] == 0x1'0000'0000);
    counts.add(1, 0xabcd'0000'0001);
    CHECK(counts[1] == 0xabce'0000'0001);
    CHECK(counts[0] == 0);
    CHECK(counts[2] == 0);
}
