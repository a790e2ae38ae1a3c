// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <sonde/measure/compare.hpp>
#include <sonde/stop/precision.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <random>

using namespace unit;

// The rate of false decisions of whole comparisons in virtual time, from the warm-up to the decision, with a fixed seed
// and without distributions of the standard library.

namespace {

using engine = std::mt19937_64;

double uniform(engine& bits) { return (static_cast<double>(bits() >> 11) + 0.5) * 0x1p-53; }

/// Box and Muller (1958).
double normal(engine& bits) {
    auto const radius = std::sqrt(-2 * std::log(uniform(bits)));
    return radius * std::cos(2 * std::numbers::pi * uniform(bits));
}

struct operation {
    one_rank* on;
    engine* bits;
    double takes; // ns, at the median
    double phi = 0;
    double before = 0;

    /// Lognormal with sigma 0.05 and autocorrelation phi.
    void operator()() {
        before = phi * before + std::sqrt(1 - phi * phi) * normal(*bits);
        auto const ns = takes * std::exp(0.05 * before);
        on->clock.advance(sonde::sim::picoseconds{std::llround(1000 * ns)});
    }
};

struct trial_counts {
    int faster = 0;
    int slower = 0;
    int chosen = 0; // another than the base
};

/// Results of trials of equal alternatives beside a base, each `speedup` times as fast.
template <class Rule>
trial_counts trials(Rule rule, std::size_t others, double speedup, double phi = 0) {
    engine bits{4'520'151'115};
    trial_counts count;
    for (int trial = 0; trial != 1000; ++trial) {
        one_rank a;
        std::vector<operation> all(1 + others, {&a, &bits, 10'000 / speedup, phi});
        all[0].takes = 10'000;
        auto const visit = [&](std::size_t i, auto f) { f(all[i]); };
        auto const found = sonde::compare(a.group, a.plan(1).until(rule), sonde::alternatives{all.size(), visit});
        bool faster = false, slower = false;
        for (std::size_t i = 1; i != all.size(); ++i) {
            faster = faster || classify(found, i) == sonde::outcome::faster;
            slower = slower || classify(found, i) == sonde::outcome::slower;
        }
        count.faster += faster;
        count.slower += slower;
        count.chosen += sonde::fastest(found) != 0;
    }
    return count;
}

} // namespace

TEST_CASE("an operation compared with itself is declared different in at most 5 % of trials") {
    for (std::size_t const rounds : {20u, 200u}) {
        CAPTURE(rounds);
        auto const t = trials(sonde::samples{rounds}, 1, 1);
        CHECK(t.faster + t.slower <= 50);
    }
}

TEST_CASE("of three equal alternatives and a base, any is declared different in at most 5 % of trials") {
    auto const t = trials(sonde::samples{100}, 3, 1);
    CHECK(t.faster + t.slower <= 50);
    CHECK(t.chosen == t.faster);
}

TEST_CASE("an operation 3 % faster or slower is found in 95 % of trials within 200 rounds, and never the opposite") {
    auto const faster = trials(sonde::samples{200}, 1, 1.03);
    CHECK(faster.faster >= 950);
    CHECK(faster.slower == 0);
    CHECK(faster.chosen == faster.faster);
    auto const slower = trials(sonde::samples{200}, 1, 1 / 1.03);
    CHECK(slower.slower >= 950);
    CHECK(slower.faster == 0);
    CHECK(slower.chosen == 0);
}

TEST_CASE("repeated evaluation until a speed-up is known to 1 % makes no more false decisions") {
    auto const t = trials(sonde::relative_error{0.01} || sonde::samples{1000}, 1, 1);
    CHECK(t.faster + t.slower <= 50);
}

TEST_CASE("correlated times of equal operations make false decisions in at most 5 % of trials") {
    for (std::size_t const rounds : {20u, 200u}) {
        CAPTURE(rounds);
        auto const t = trials(sonde::samples{rounds}, 1, 1, 0.5);
        CHECK(t.faster + t.slower <= 50);
    }
}

TEST_CASE("correlated times make no more false decisions if rounds end at a precision of the speed-up") {
    for (double const limit : {0.015, 0.025, 0.05}) {
        CAPTURE(limit);
        auto const t = trials(sonde::relative_error{limit} || sonde::samples{1000}, 1, 1, 0.5);
        CHECK(t.faster + t.slower <= 50);
    }
}
