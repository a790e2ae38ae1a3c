// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <sonde/measure/compare.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

using namespace unit;
using sonde::outcome;

namespace {

using durations = std::vector<long long>;

/// A comparison with these times, in nanoseconds.
sonde::comparison of(std::vector<durations> const& alternatives) {
    sonde::comparison found;
    for (auto const& series : alternatives) {
        found.records.emplace_back();
        found.records.back().series = of_ns(series);
    }
    return found;
}

durations repeated(std::size_t n, long long ns) { return durations(n, ns); }

durations joined(durations a, durations const& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

} // namespace

TEST_CASE("the speed-up is the median of the rounds' ratios, of an even number their geometric mean") {
    CHECK(sonde::speedup(of({{100, 300, 200}, {50, 600, 100}}), 1) == 2);
    CHECK(sonde::speedup(of({{100, 400}, {100, 100}}), 1) == 2);
    CHECK(sonde::speedup(of({{100, 200}, {200, 100}}), 1) == 1);
    CHECK(sonde::speedup(of({{100, 200, 300}, {50, 60, 70}}), 0) == 1);
}

TEST_CASE("a time below the resolution counts as the resolution, of the coarser of the two clocks") {
    for (std::size_t const coarse : {0u, 1u}) {
        auto c = of({repeated(20, 1000), repeated(20, 0)});
        c.records[coarse].clock_properties.resolution = 10ns;
        CHECK(sonde::speedup(c, 1) == doctest::Approx(100));
    }
}

TEST_CASE("an alternative is undecided if its clock or that of the base was at fault") {
    auto const slow = repeated(20, 300), quick = repeated(20, 100);
    CHECK(classify(of({slow, quick, quick}), 1) == outcome::faster);
    for (std::size_t const faulty : {0u, 1u, 2u}) {
        auto c = of({slow, quick, quick});
        c.records[faulty].flags.clock_fault = true;
        CHECK((classify(c, 1) == outcome::undecided) == (faulty != 2));
        CHECK((classify(c, 2) == outcome::undecided) == (faulty != 1));
    }
}

TEST_CASE("an alternative is slower than a faster base") {
    auto const found = of({repeated(16, 100), repeated(16, 103), repeated(16, 97), repeated(16, 100)});
    CHECK(sonde::classify(found, 0) == outcome::undecided);
    CHECK(sonde::classify(found, 1) == outcome::slower);
    CHECK(sonde::classify(found, 2) == outcome::faster);
    CHECK(sonde::classify(found, 3) == outcome::undecided);
}

TEST_CASE("a minimum gain must be outside the whole interval, on either side") {
    auto const found = of({repeated(16, 1040), repeated(16, 1000)});
    CHECK(sonde::classify(found, 1, {.gain = 0.03}) == outcome::faster);
    CHECK(sonde::classify(found, 1, {.gain = 0.05}) == outcome::undecided);
    auto const turned = of({repeated(16, 1000), repeated(16, 1040)});
    CHECK(sonde::classify(turned, 1, {.gain = 0.03}) == outcome::slower);
    CHECK(sonde::classify(turned, 1, {.gain = 0.05}) == outcome::undecided);
    durations base;
    for (int i = 0; i != 20; ++i) base.push_back(i % 4 == 0 ? 1040 : 1010);
    auto const spread = of({base, repeated(20, 1000)});
    CHECK(sonde::classify(spread, 1) == outcome::faster);
    CHECK(sonde::classify(spread, 1, {.gain = 0.02}) == outcome::undecided);
}

TEST_CASE("a criterion in percent is refused, before anything is measured") {
    auto const found = of({repeated(16, 1040), repeated(16, 1000)});
    for (sonde::criterion const wrong : {sonde::criterion{.gain = 2}, sonde::criterion{.gain = 1},
                                         sonde::criterion{.gain = -0.02}, sonde::criterion{.confidence = 95}}) {
        CHECK_THROWS_AS(static_cast<void>(sonde::classify(found, 1, wrong)), std::invalid_argument);
        sonde::single_rank group;
        int iterations = 0;
        auto const count = [&] { ++iterations; };
        CHECK_THROWS_AS(static_cast<void>(sonde::fastest(group, sonde::plan<>{}, wrong, count, count)),
                        std::invalid_argument);
        CHECK(iterations == 0);
    }
}

TEST_CASE("equal times count: if half of the rounds show no difference there is none") {
    durations other;
    for (int i = 0; i != 40; ++i) other.push_back(i % 2 == 0 ? 100 : 90);
    auto const found = of({repeated(40, 100), other});
    CHECK(sonde::classify(found, 1) == outcome::undecided);
    CHECK(sonde::speedup_interval(found, 1).value().low == 1);
}

TEST_CASE("a disturbed round counts as one round, for any duration") {
    auto slow = repeated(12, 110);
    slow[5] = 1'000'000;
    auto const quick = of({repeated(12, 100), slow});
    CHECK(sonde::classify(quick, 1) == outcome::slower);
    CHECK(sonde::classify(of({slow, repeated(12, 100)}), 1) == outcome::faster);
    CHECK(ns(sonde::seconds{sonde::speedup(of({slow, repeated(12, 100)}), 1)}) == 1'100'000'000);
}

TEST_CASE("correlated rounds decide less than as many independent ones") {
    durations in_turns, in_a_row;
    for (int i = 0; i != 100; ++i) in_turns.push_back((i % 3 == 0 ? 1100 : 900) + i);
    for (int i = 0; i != 100; ++i) in_a_row.push_back((i < 34 ? 1100 : 900) + i);
    CHECK(sonde::classify(of({repeated(100, 1000), in_turns}), 1) == outcome::faster);
    CHECK(sonde::classify(of({repeated(100, 1000), in_a_row}), 1) == outcome::undecided);
}

TEST_CASE("the fastest is the base unless another is faster, else the one with the largest speed-up") {
    auto const n = std::size_t{20};
    auto const unsteady = joined(repeated(11, 10), repeated(9, 500)); // ten times as fast in nearly half of the rounds
    CHECK(sonde::fastest(of({repeated(n, 100)})) == 0);
    CHECK(sonde::fastest(of({repeated(n, 100), repeated(n, 100), repeated(n, 101)})) == 0);
    CHECK(sonde::fastest(of({repeated(n, 100), unsteady})) == 0);
    CHECK(sonde::fastest(of({repeated(n, 100), unsteady, repeated(n, 98), repeated(n, 99)})) == 2);
    CHECK(sonde::fastest(of({repeated(n, 100), repeated(n, 99), repeated(n, 98), repeated(n, 102)})) == 2);
    CHECK(sonde::fastest(of({repeated(n, 100), repeated(n, 99)}), {.gain = 0.02}) == 0);
}

TEST_CASE("an alternative without rounds is refused") {
    CHECK_THROWS_WITH_AS(sonde::speedup(of({{100}, {100}}), 2), "sonde::comparison: there is no alternative 2 of 2",
                         std::out_of_range);
    CHECK_THROWS_AS(sonde::fastest(of({{100}}), {.gain = 5}), std::invalid_argument); // also without another one
    CHECK_THROWS_AS(sonde::speedup(of({{}, {}}), 1), std::invalid_argument);
    CHECK_THROWS_AS(sonde::speedup({}, 0), std::out_of_range);
    CHECK(sonde::fastest({}) == 0);
}
