// SPDX-License-Identifier: BSL-1.0
#include "step_series.hpp"

#include <sonde/stat/steps.hpp>

#include <doctest/doctest.h>

#include <cstddef>

TEST_SUITE("step effects") {

    // 1 in 100 is stated: of 200 reports, 8 or more would be a coincidence of one in 1,000.
    TEST_CASE("at most 1 in 100 reports of healthy series names an effect, whatever the noise") {
        using namespace step_series;
        constexpr noise all[] = {normal,
                                 correlated,
                                 {"skewed", skewed},
                                 {"without a mean", cauchy},
                                 {"preempted", preempted},
                                 {"coarse", coverage::normal, 0, 2e-6},
                                 {"coarse and correlated", coverage::normal, 0.5, 2e-6},
                                 {"alternating", coverage::normal, -0.5},
                                 {"correlated, 0.7", coverage::normal, 0.7},
                                 {"skewed and correlated", skewed, 0.7},
                                 {"heavy-tailed and correlated", student, 0.7},
                                 {"correlated, without a mean", cauchy, 0.7}};
        for (auto const& from : all)
            for (std::size_t const n : {50u, 100u, 400u, 1000u}) {
                CAPTURE(from.name);
                CAPTURE(n);
                int alarms = 0;
                for (int seed = 1; seed <= 200; ++seed)
                    alarms += !sonde::find_step_effects(times(from, n, seed), {.effect = 0}).empty();
                CHECK(alarms < 8);
            }
    }
}
