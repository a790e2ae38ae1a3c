// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <sonde/measure/type_erasure.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace unit;
using sonde::noise_converged;
using sonde::relative_error;
using sonde::stop_reason;

// Rules evaluate numbers.

namespace {

/// n samples in no order, spread evenly over the median by `part` to each side, 100 us in the middle.
std::vector<sonde::seconds> spread_by(double part, std::size_t n) {
    std::vector<sonde::seconds> all;
    for (std::size_t i = 0; i != n; ++i) {
        auto const place = static_cast<double>(i * 7919 % n) / static_cast<double>(n - 1); // 0 to 1
        all.emplace_back(100e-6 * (1 + part * (2 * place - 1)));
    }
    return all;
}

sonde::decision shown(auto rule, std::vector<sonde::seconds> const& series, std::size_t block,
                      sonde::seconds resolution = {}) {
    std::span<sonde::seconds const> const all{series};
    return rule(sonde::progress{all.last(block), {}, all, series.size(), resolution});
}

} // namespace

TEST_CASE("relative_error is evaluated at 30, 38, 47, 59 .. samples: each time a quarter more") {
    relative_error const rule{0.01};
    std::vector<std::size_t> evaluations;
    for (std::size_t n = 0; n < 200; evaluations.push_back(n)) n += rule.next(n);
    CHECK(evaluations == std::vector<std::size_t>{30, 38, 47, 59, 74, 92, 115, 144, 179, 224});
    CHECK(rule.next(29) == 1);
    CHECK(rule.next(37) == 1);
}

TEST_CASE("relative_error stops when half of the median's interval is within the limit") {
    auto const series = spread_by(0.1, 59); // ranks 20 and 40 of 59: 10 / 58 of 0.2 to each side
    auto const exact = *sonde::estimate_median(series).relative_error();
    CHECK(static_cast<int>(exact * 1e6) == 34482);
    CHECK(shown(relative_error{0.0345}, series, 12).stop);
    CHECK(shown(relative_error{0.0345}, series, 12).reason == stop_reason::precision);
    CHECK_FALSE(shown(relative_error{0.0344}, series, 12).stop);
    CHECK_FALSE(shown(relative_error{0.0345, 0.99}, series, 12).stop); // 99 % is wider
}

TEST_CASE("relative_error decides nothing before 40 samples, nor at the evaluations of other rules") {
    CHECK_FALSE(shown(relative_error{0.99}, spread_by(0.01, 39), 39).stop); // 40 of the shortest autocorrelation time
    CHECK(shown(relative_error{0.99}, spread_by(0.01, 47), 47).stop);
    CHECK_FALSE(shown(relative_error{0.99}, spread_by(0.01, 58), 10).stop);
    CHECK(shown(relative_error{0.99}, spread_by(0.01, 58), 12).stop); // the evaluation at 47 lies in the block
}

TEST_CASE("relative_error waits for 40 autocorrelation times") {
    std::vector<sonde::seconds> waves; // 16 low, 16 high: precise if they were independent
    for (std::size_t i = 0; i != 224; ++i) waves.emplace_back((i / 16) % 2 == 0 ? 1.0 : 1.0001);
    CHECK(sonde::autocorrelation_time(waves) > 224 / 40.0);
    CHECK_FALSE(shown(relative_error{0.01}, waves, 30).stop);
    std::vector<sonde::seconds> alternating;
    for (std::size_t i = 0; i != 224; ++i) alternating.emplace_back(i % 2 == 0 ? 1.0 : 1.0001);
    CHECK(shown(relative_error{0.01}, alternating, 30).stop);
}

TEST_CASE("relative_error takes no precision from equal readings of a coarse clock") {
    std::vector<sonde::seconds> const same(59, sonde::seconds{200ns});
    CHECK(shown(relative_error{0.02}, same, 12).stop);
    CHECK(shown(relative_error{0.026}, same, 12, 10ns).stop); // 5 of 200
    CHECK_FALSE(shown(relative_error{0.024}, same, 12, 10ns).stop);
}

TEST_CASE("a limit in percent is refused, and so is a confidence in percent") {
    for (double const wrong : {1.0, 5.0, -0.01, std::numeric_limits<double>::infinity()}) {
        CAPTURE(wrong);
        CHECK_THROWS_WITH_AS(relative_error{wrong},
                             "sonde::relative_error: the limit must be at least 0 and below 1: 0.02 is 2 %",
                             std::invalid_argument);
        CHECK_THROWS_AS(noise_converged{wrong}, std::invalid_argument);
        CHECK_THROWS_AS((relative_error{0.01, wrong}), std::invalid_argument);
    }
    CHECK_THROWS_WITH_AS((relative_error{0.01, 95}),
                         "sonde::relative_error: the confidence must lie between 0 and 1: 0.95 is 95 %",
                         std::invalid_argument);
}

TEST_CASE("relative_error gives up when the record is full") {
    auto const series = spread_by(0.1, 59);
    std::span<sonde::seconds const> const all{series};
    auto const result = relative_error{1e-9}(sonde::progress{all.last(12), {}, all, 60, {}});
    CHECK(result.stop);
    CHECK(result.reason == stop_reason::samples);
}

TEST_CASE("noise_converged: stops when the standard deviation over the mean has settled, for the noise floor") {
    noise_converged steady;
    CHECK(steady.next(0) == 66);
    std::vector<sonde::seconds> const same(66, sonde::seconds{1});
    CHECK_FALSE(shown(noise_converged{}, {same.begin(), same.end() - 1}, 65).stop); // 64 values of the noise
    CHECK(shown(noise_converged{}, same, 66).stop);
    CHECK_FALSE(shown(std::ref(steady), spread_by(0.1, 60), 60).stop); // 59 values of the noise
    auto const result = shown(std::ref(steady), spread_by(0.1, 700), 700);
    CHECK(result.stop);
    CHECK(result.reason == stop_reason::noise_floor);
    CHECK_FALSE(shown(noise_converged{1e-6}, spread_by(0.1, 700), 700).stop);
}

TEST_CASE("noise_converged: does not stop while the noise still grows") {
    std::vector<sonde::seconds> growing;
    for (int i = 0; i != 400; ++i) growing.emplace_back(i % 2 == 0 ? 1.0 : 1.0 + 0.01 * i);
    CHECK_FALSE(shown(noise_converged{}, growing, 400).stop);
}

TEST_CASE_FIXTURE(one_rank, "a run until a precision has that reason; a budget ends one that never reaches it") {
    int i = 0;
    auto const noisy = [&] { clock.advance(i++ % 2 == 0 ? 900ns : 1100ns); };
    auto const precise = sonde::run(group, plan(1).until(relative_error{0.2} || sonde::time_budget{1s}), noisy);
    CHECK(precise.stop.samples == 47);
    CHECK(precise.stop.reason == stop_reason::precision);
    auto const never = sonde::run(group, plan(1).until(relative_error{0.001} || sonde::time_budget{1ms}), noisy);
    CHECK(never.stop.reason == stop_reason::time_budget);
    CHECK(never.stop.samples < 1300);
}

TEST_CASE_FIXTURE(one_rank, "an evaluation is a reduction of the ranks' times, and a broadcast of rank 0's decision") {
    auto const r = sonde::run(group, plan(1).until(relative_error{0.2}), [&] { clock.advance(1us); });
    CHECK(r.stop.samples == 47);
    CHECK(group.reductions == 1 + 3 + 2); // the plan's comparison, evaluations at 30, 38 and 47, the record
    CHECK(group.broadcasts == 3);
}

namespace {

/// n independent samples, spread evenly over the median by `part` to each side, 100 us in the middle.
std::vector<sonde::seconds> noise_of(double part, std::size_t n) {
    std::vector<sonde::seconds> all;
    std::uint64_t random = 1;
    for (std::size_t i = 0; i != n; ++i) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        all.emplace_back(100e-6 * (1 + part * (2 * static_cast<double>(random >> 11) * 0x1p-53 - 1)));
    }
    return all;
}

/// Evaluates a rule with a series of samples that take `each` of rank 0's time, by the rule's schedule; returns its
/// reason and number of samples, and no reason if it wants more samples than the series has.
sonde::stop_info shown_over_time(auto rule, std::vector<sonde::seconds> const& series, sonde::seconds each) {
    std::span<sonde::seconds const> const all{series};
    for (std::size_t n = 0;;) {
        auto const block = rule.next(n);
        if (block > all.size() - n) return {};
        n += block;
        auto const seen = all.first(n);
        auto const result = rule(sonde::progress{seen.last(block), each * n, seen, n, {}});
        if (result.stop) return {result.reason, n};
    }
}

bool is(sonde::stop_info found, stop_reason why, std::size_t samples) {
    CAPTURE(found.samples);
    CAPTURE(to_string(found.reason));
    CHECK(found.samples == samples);
    return found.reason == why;
}

} // namespace

TEST_CASE("within a budget: long samples are evaluated from 13 on, others from 40 on") {
    auto const series = noise_of(0.01, 1000);
    auto const rule = relative_error{0.02}.within(sonde::seconds{1});
    CHECK(is(shown_over_time(rule, series, 10ms), stop_reason::precision, 14));  // evaluations: 11, 14
    CHECK(is(shown_over_time(rule, series, 500us), stop_reason::precision, 23)); // 10 ms, a hundredth, after 20
    CHECK(is(shown_over_time(rule, series, 200us), stop_reason::precision, 47));
}

TEST_CASE("within a budget: few samples suffice by the upper bound of their autocorrelation time") {
    // Relative errors of 14, 18 and 23 samples: 0.9, 0.7 and 0.6 % by the estimate, 1.6, 1.1 and 0.9 % by the bound.
    auto const rule = relative_error{0.01}.within(sonde::seconds{1});
    CHECK(is(shown_over_time(rule, noise_of(0.02, 1000), 10ms), stop_reason::precision, 23));
}

TEST_CASE("within a budget: a precision that is nearly reached ends with the budget") {
    auto const series = noise_of(0.5, 1000); // 600 samples give 4 %
    auto const rule = relative_error{0.04}.within(sonde::seconds{1});
    CHECK(
        is(shown_over_time(rule, series, 2ms), stop_reason::time_budget, 500)); // no overrun, since samples are steady
}

TEST_CASE("within a budget: an unreachable precision ends the series early, and not before a tenth of the budget") {
    auto const series = noise_of(0.5, 1000);
    auto const rule = relative_error{0.001}.within(sonde::seconds{1});
    auto const found = shown_over_time(rule, series, 2ms); // a tenth after 50; a million samples are needed, 2000 s
    CHECK(is(found, stop_reason::unreachable, 144));       // the first evaluation from twice the 59 samples on
    CHECK(is(shown_over_time(relative_error{0.001}.within(sonde::seconds{100}), series, 0ms), {}, 0));
}

TEST_CASE("within a budget: samples that were disturbed do not make a precision unreachable") {
    // The first 24 samples take 10 ms each and differ by a factor of 100; the others are those of a quiet machine.
    auto series = noise_of(0.02, 2000);
    for (std::size_t i = 0; i != 24; ++i) series[i] *= i % 2 == 0 ? 1 : 100;
    auto rule = relative_error{0.005}.within(sonde::seconds{1});
    std::span<sonde::seconds const> const all{series};
    sonde::stop_info found{};
    for (std::size_t n = 0; found.reason == stop_reason::none;) {
        auto const block = rule.next(n);
        n += block;
        auto const elapsed =
            sonde::seconds{10e-3 * static_cast<double>(std::min<std::size_t>(n, 24)) + 1e-4 * static_cast<double>(n)};
        auto const result = rule(sonde::progress{all.first(n).last(block), elapsed, all.first(n), n, {}});
        if (result.stop) found = {result.reason, n};
    }
    CHECK(is(found, stop_reason::precision, 74));
}

TEST_CASE("relative_error: a forecast from disturbed samples does not keep it from being evaluated again") {
    auto series = noise_of(0.02, 20'000);
    for (std::size_t i = 0; i != 600; ++i) series[i] *= static_cast<double>(1 + i % 3); // an interval of a factor of 2
    CHECK(is(shown_over_time(relative_error{0.003}, series, 1us), stop_reason::precision, 4066));
}

TEST_CASE("within a budget: a block of late samples alone is no reason to stop") {
    auto rule = relative_error{0.01}.within(sonde::seconds{1});
    CHECK_FALSE(rule(sonde::progress{{}, 150ms, {}, 0, {}}).stop);
    CHECK(rule.next(0) >= 1);
}

TEST_CASE("within a budget: a resolution-limited precision ends the series after a hundredth of the budget") {
    std::vector<sonde::seconds> const same(100, 100us);
    auto const at_47 = [&](sonde::seconds resolution, sonde::seconds elapsed) {
        auto fresh = relative_error{0.02}.within(sonde::seconds{1});
        std::span<sonde::seconds const> const all{same.data(), 47};
        return fresh(sonde::progress{all, elapsed, all, 47, resolution});
    };
    CHECK(at_47(3us, 20ms).reason == stop_reason::precision); // 1.5 %
    CHECK(at_47(5us, 20ms).stop);                             // 2.5 %
    CHECK_FALSE(at_47(5us, 9ms).stop);
    CHECK(at_47(5us, 20ms).reason == stop_reason::unreachable);
}

namespace {

/// A run of samples of 1 ms, spread evenly by up to 12 % to each side, in no order. The relative error of 92 samples is
/// 2.605 %, of 93 2.6 %, of 44 to 46 3.6 % at most, of fewer than 40 above 4.4 %.
template <class Rule>
sonde::record measured_until(one_rank& s, Rule rule) {
    int i = 0;
    auto const noisy = [&] { s.clock.advance(1ms + 4us * (i++ * 29 % 61 - 30)); };
    return sonde::run(s.group, s.plan(1).until(rule), noisy);
}

/// Ends at 93 samples: it is evaluated at 74, the precision at 74 and 92.
constexpr sonde::time_budget of_93_samples{80ms};

} // namespace

TEST_CASE_FIXTURE(one_rank, "a precision that is met when the time budget ends is the reason of the end") {
    relative_error const met{0.02602};
    for (auto const& r : {measured_until(*this, met || of_93_samples), measured_until(*this, of_93_samples || met),
                          measured_until(*this, (sonde::samples{30} && met) || of_93_samples),
                          measured_until(*this, sonde::any_rule{met} || of_93_samples)}) {
        CHECK(r.stop.samples == 93);
        CHECK(r.stop.reason == stop_reason::precision);
    }
    auto const r = measured_until(*this, relative_error{0.04}.within(44500us));
    CHECK(r.stop.samples < 47); // the next evaluation of the precision
    CHECK(r.stop.reason == stop_reason::precision);
}

TEST_CASE_FIXTURE(one_rank, "first_rule: the first of the given rules ends the series") {
    relative_error const met{0.04};
    sonde::time_budget const short_one{2ms};
    auto const stop_of = [&](auto... rules) { return measured_until(*this, sonde::first_rule(rules...)).stop; };
    constexpr auto none = std::nullopt;
    CHECK(stop_of(met, none, none).reason == stop_reason::precision);
    CHECK(stop_of(met, short_one, none).reason == stop_reason::time_budget);
    CHECK(stop_of(none, short_one, sonde::samples{1000}).reason == stop_reason::time_budget);
    CHECK(stop_of(met, sonde::time_budget{1000s}, sonde::samples{2}).reason == stop_reason::samples);
    CHECK(stop_of(none, none, sonde::samples{2}).reason == stop_reason::samples);
    CHECK(sonde::first_rule(none, none, sonde::samples{2}).uniform);
    CHECK(sonde::first_rule(met, short_one, none).parameters() ==
          sonde::any_rule{met.within(short_one.limit)}.parameters());
    CHECK_THROWS_AS(sonde::first_rule(none, none, none), std::invalid_argument);
}

TEST_CASE_FIXTURE(one_rank, "a precision that is not met when the time budget ends is not the reason") {
    for (auto const& r : {measured_until(*this, relative_error{0.0259} || of_93_samples),
                          measured_until(*this, (sonde::samples{120} && relative_error{0.02602}) || of_93_samples),
                          measured_until(*this, relative_error{0.0259}.within(80ms))})
        CHECK(r.stop.reason == stop_reason::time_budget);
}
