// SPDX-License-Identifier: BSL-1.0
#include "step_series.hpp"

#include <sonde/report/steps.hpp>
#include <sonde/stat/steps.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using sonde::seconds;
using sonde::step_effect_kind;
using series = std::vector<double>;

/// 100 us, without noise.
series equal(std::size_t n) { return series(n, 1e-4); }

series steps_from(std::size_t first, std::size_t last, std::size_t distance, series times, double factor) {
    for (auto i = first; i < last; i += distance) times[i] *= factor;
    return times;
}

std::vector<std::size_t> numbers(std::size_t first, std::size_t last, std::size_t distance = 1) {
    std::vector<std::size_t> all;
    for (auto i = first; i < last; i += distance) all.push_back(i);
    return all;
}

/// Nanoseconds, rounded.
long long nanoseconds(seconds t) { return std::llround(1e9 * t.count()); }

void require_one(series const& times, step_effect_kind kind, std::vector<std::size_t> const& steps, double ratio) {
    auto const found = sonde::find_step_effects(times);
    REQUIRE(found.size() == 1);
    CHECK(found[0].kind == kind);
    CHECK(found[0].steps == steps);
    CHECK(found[0].series == times.size());
    CHECK(found[0].p < 0.01);
    REQUIRE(found[0].ratio());
    CHECK(std::fabs(*found[0].ratio() / ratio - 1) < 0.03);
}

} // namespace

TEST_SUITE("step effects") {

    TEST_CASE("a series of equal times has no effects, nor have a few steps") {
        CHECK(sonde::find_step_effects(equal(400)).empty());
        CHECK(sonde::find_step_effects(series(400)).empty());
        CHECK(sonde::find_step_effects({}).empty());
        CHECK(sonde::find_step_effects(steps_from(1, 12, 2, equal(12), 3)).empty());
        CHECK(sonde::find_step_effects(steps_from(200, 201, 1, equal(400), 1000)).empty());
    }

    TEST_CASE("planted effects without noise are found with their steps and sizes") {
        auto const found = sonde::find_step_effects(steps_from(9, 400, 10, equal(400), 3));
        REQUIRE(found.size() == 1);
        CHECK(found[0].kind == step_effect_kind::period);
        CHECK(found[0].period == 10);
        CHECK(found[0].steps == numbers(9, 400, 10));
        CHECK(nanoseconds(found[0].typical) == 100'000);
        CHECK(nanoseconds(found[0].excess) == 200'000);
        require_one(steps_from(120, 134, 1, equal(400), 3), step_effect_kind::burst, numbers(120, 134), 3);
        require_one(steps_from(0, 12, 1, equal(400), 2), step_effect_kind::burst, numbers(0, 12), 2);
        require_one(steps_from(200, 400, 1, equal(400), 1.2), step_effect_kind::change_point, numbers(200, 400), 1.2);
        require_one(steps_from(300, 400, 1, equal(400), 0.7), step_effect_kind::change_point, numbers(300, 400), 0.7);
        auto drifting = equal(401);
        for (std::size_t i = 0; i != drifting.size(); ++i) drifting[i] += 1e-7 * static_cast<double>(i);
        require_one(drifting, step_effect_kind::drift, numbers(0, 401), 1.4);
    }

    TEST_CASE("planted effects in noise are found with their steps") {
        for (auto const& from : {step_series::normal, step_series::heavy_tailed, step_series::correlated}) {
            CAPTURE(from.name);
            for (int seed = 1; seed != 6; ++seed) {
                CAPTURE(seed);
                auto const noise = step_series::times(from, 400, seed);
                require_one(steps_from(9, 400, 10, noise, 3), step_effect_kind::period, numbers(9, 400, 10), 3);
                require_one(steps_from(1, 400, 2, noise, 1.3), step_effect_kind::period, numbers(1, 400, 2), 1.3);
                require_one(steps_from(209, 400, 10, noise, 3), step_effect_kind::period, numbers(209, 400, 10), 3);
                require_one(steps_from(120, 140, 1, noise, 3), step_effect_kind::burst, numbers(120, 140), 3);
                require_one(steps_from(150, 400, 1, noise, 1.5), step_effect_kind::change_point, numbers(150, 400),
                            1.5);
            }
        }
    }

    TEST_CASE("several effects of a series are told apart, the most expensive first") {
        auto times = steps_from(3, 400, 7, step_series::times(step_series::normal, 400, 1), 2);
        times = steps_from(9, 400, 10, std::move(times), 3);
        auto const periods = sonde::find_step_effects(times);
        REQUIRE(periods.size() == 2);
        CHECK(periods[0].steps == numbers(9, 400, 10));
        CHECK(periods[1].steps == numbers(3, 400, 7));

        auto levels = steps_from(100, 400, 1, step_series::times(step_series::normal, 400, 2), 2);
        levels = steps_from(250, 400, 1, std::move(levels), 0.75);
        auto const changes = sonde::find_step_effects(levels);
        REQUIRE(changes.size() == 2);
        CHECK(changes[0].steps == numbers(100, 400));
        CHECK(changes[1].steps == numbers(250, 400));
        CHECK(std::fabs(*changes[1].ratio() - 0.75) < 0.02);

        auto both = steps_from(150, 400, 1, step_series::times(step_series::normal, 400, 3), 1.3);
        auto const mixed = sonde::find_step_effects(steps_from(9, 400, 10, std::move(both), 2));
        REQUIRE(mixed.size() == 2);
        CHECK(mixed[0].steps == numbers(150, 400));
        CHECK(mixed[1].steps == numbers(9, 400, 10));
    }

    TEST_CASE("an effect below the threshold, or within the resolution, is not reported") {
        auto const times = steps_from(9, 400, 10, step_series::times(step_series::normal, 400, 1), 1.15);
        CHECK(sonde::find_step_effects(times).size() == 1);
        CHECK(sonde::find_step_effects(times, {.effect = 0.3}).empty());
        CHECK(sonde::find_step_effects(times, {.step = seconds{1}}).empty());
        CHECK(sonde::find_step_effects(times, {.resolution = seconds{1e-4}}).empty());
    }

    TEST_CASE("excesses around 0 have effects, without a ratio") {
        auto times = step_series::times(step_series::normal, 400, 1);
        for (auto& t : times) t -= 1e-4;
        for (std::size_t i = 9; i < 400; i += 10) times[i] += 2e-4;
        for (auto& t : times) t -= 1e-6;
        auto const found = sonde::find_step_effects(times, {.step = seconds{1e-4}});
        REQUIRE(found.size() == 1);
        CHECK(found[0].steps == numbers(9, 400, 10));
        CHECK(!found[0].ratio());
        CHECK(to_string(found[0]).find("40 of 400 steps took ") != std::string::npos);
        CHECK(to_string(found[0]).find(" times ") == std::string::npos);
    }

    TEST_CASE("times that are not finite, and options out of range, are refused") {
        auto times = equal(400);
        CHECK_THROWS_AS((void)sonde::find_step_effects(times, {.false_alarms = 1}), std::invalid_argument);
        CHECK_THROWS_AS((void)sonde::find_step_effects(times, {.effect = -0.1}), std::invalid_argument);
        times[7] = std::numeric_limits<double>::infinity();
        CHECK_THROWS_AS((void)sonde::find_step_effects(times), std::invalid_argument);
    }
}

TEST_SUITE("steps in words") {

    TEST_CASE("numbers of steps are told shortly") {
        auto const text = [](std::vector<std::size_t> const& steps) { return sonde::steps_text(steps); };
        CHECK(text({}) == "");
        CHECK(text({17}) == "17");
        CHECK(text({5, 17}) == "5 and 17");
        CHECK(text({5, 17, 90}) == "5, 17 and 90");
        CHECK(text({5, 17, 90, 91}) == "5, 17, 90 and 91");
        CHECK(text({5, 17, 90, 91, 95}) == "5, 17, 90 and 2 others");
        CHECK(text(numbers(120, 134)) == "120 to 133");
        CHECK(text(numbers(9, 400, 10)) == "9, 19, 29, ..: every 10th");
        CHECK(text(numbers(2, 7, 2)) == "2, 4, 6: every 2nd");
        CHECK(text(numbers(0, 900, 111)) == "0, 111, 222, ..: every 111th");
        CHECK(text(numbers(0, 900, 101)) == "0, 101, 202, ..: every 101st");
    }

    TEST_CASE("an effect is a sentence") {
        auto const text = [](series const& times) { return to_string(sonde::find_step_effects(times).at(0)); };
        CHECK(text(steps_from(9, 400, 10, equal(400), 3.13)) ==
              "every 10th step (9, 19, 29, ..): 40 of 400 steps took 3.13 times the median, 213 us longer");
        CHECK(text(steps_from(9, 200, 10, equal(400), 3)) ==
              "every 10th step (9, 19, 29, .. 199): 20 of 400 steps took 3.00 times the median, 200 us longer");
        CHECK(text(steps_from(120, 134, 1, equal(400), 31)) ==
              "steps 120 to 133: 14 of 400 steps took 31.0 times the median, 3.00 ms longer");
        CHECK(text(steps_from(300, 400, 1, equal(400), 0.7)) ==
              "from step 300 on: 100 of 400 steps took 0.700 times the median before, 30.0 us shorter");
        auto drifting = equal(401);
        for (std::size_t i = 0; i != drifting.size(); ++i) drifting[i] += 1e-7 * static_cast<double>(i);
        CHECK(text(drifting) ==
              "drift: from the first to the last of 401 steps, times grow by 40.0 us, to 1.40 times the first");
    }
}
