// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/stat/steps.hpp>

#include <cstddef>
#include <span>
#include <string>

// What `find_step_effects` finds, in sentences.

namespace sonde::inline v0_1 {

/// Ascending numbers of steps in a few words: "17", "120 to 133", "9, 19, 29, ..: every 10th", "5, 17, 90 and 12
/// others"; empty for no steps.
[[nodiscard]] std::string steps_text(std::span<std::size_t const> steps);

/// The steps of an effect and its size, with three digits: "every 10th step (9, 19, 29, ..): 40 of 400 steps took 3.00
/// times the median, 213 us longer", "steps 120 to 133: 14 of 400 steps took ..", "from step 200 on: 200 of 400 steps
/// took 0.700 times the median before, 30.0 us shorter", "drift: from the first to the last of 400 steps, times grow by
/// 20.0 us, to 1.20 times the first". The ratio is left out if there is none.
[[nodiscard]] std::string to_string(step_effect const& e);

} // namespace sonde

#if SONDE_DEFINITIONS
#include <sonde/report/text.hpp>

#include <charconv>
#include <cmath>

namespace sonde::inline v0_1::detail {

/// Three significant digits.
SONDE_INLINE std::string three_digits(double value) {
    auto const whole = value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::fabs(value))));
    return fixed(value, whole < 2 ? 2 - whole : 0);
}

/// A time with three significant digits, in seconds, milliseconds or microseconds.
SONDE_INLINE std::string scaled_time(seconds time) {
    auto const size = std::fabs(time.count());
    if (size < 0.9995e-3) return three_digits(1e6 * time.count()) + " us";
    return size < 0.9995 ? three_digits(1e3 * time.count()) + " ms" : three_digits(time.count()) + " s";
}

/// "1st", "2nd", "10th".
SONDE_INLINE std::string ordinal(std::size_t n) {
    auto const teens = n / 10 % 10 == 1;
    auto const* const ending = teens ? "th" : n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th";
    return std::to_string(n) + ending;
}

/// The distance of steps that are equally far apart; 0 for others, and for fewer than three.
SONDE_INLINE std::size_t distance_of(std::span<std::size_t const> steps) {
    if (steps.size() < 3) return 0;
    auto const distance = steps[1] - steps[0];
    for (std::size_t i = 2; i != steps.size(); ++i)
        if (steps[i] - steps[i - 1] != distance) return 0;
    return distance;
}

/// "9, 19, 29", with ", .." if there are more.
SONDE_INLINE std::string first_steps(std::span<std::size_t const> steps) {
    constexpr std::size_t shown = 3;
    auto const few = steps.first(steps.size() < shown ? steps.size() : shown);
    auto const text = joined(few, ", ", [](std::size_t i) { return std::to_string(i); });
    return steps.size() > shown ? text + ", .." : text;
}

/// ", 213 us longer", after the ratio to `typical` if there is one.
SONDE_INLINE std::string size_text(step_effect const& e, std::string const& typical) {
    auto const ratio = e.ratio();
    auto const times = ratio && *ratio > 0 ? three_digits(*ratio) + " times " + typical + ", " : "";
    return times + scaled_time(e.excess < seconds{} ? -e.excess : e.excess) +
           (e.excess < seconds{} ? " shorter" : " longer");
}

SONDE_INLINE std::string drift_text(step_effect const& e) {
    auto const ratio = e.ratio();
    return "drift: from the first to the last of " + std::to_string(e.series) + " steps, times " +
           (e.excess < seconds{} ? "fall by " + scaled_time(-e.excess) : "grow by " + scaled_time(e.excess)) +
           (ratio && *ratio > 0 ? ", to " + three_digits(*ratio) + " times the first" : "");
}

/// "every 10th step (9, 19, 29, ..)"; the last step, if a period ends before the series.
SONDE_INLINE std::string period_text(step_effect const& e) {
    auto const ends = e.steps.back() + e.period < e.series;
    return "every " + ordinal(e.period) + " step (" + first_steps(e.steps) +
           (ends ? " " + std::to_string(e.steps.back()) : "") + ')';
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

SONDE_INLINE std::string steps_text(std::span<std::size_t const> steps) {
    auto const n = steps.size();
    auto const distance = detail::distance_of(steps);
    if (distance == 1) return std::to_string(steps.front()) + " to " + std::to_string(steps.back());
    if (distance != 0) return detail::first_steps(steps) + ": every " + detail::ordinal(distance);
    auto const shown = n <= 4 ? n - (n > 1) : 3; // one more step is no longer than "1 other"
    auto text = detail::joined(steps.first(shown), ", ", [](std::size_t i) { return std::to_string(i); });
    if (n <= 1) return text;
    return text + " and " + (n <= 4 ? std::to_string(steps.back()) : std::to_string(n - shown) + " others");
}

SONDE_INLINE std::string to_string(step_effect const& e) {
    if (e.kind == step_effect_kind::drift) return detail::drift_text(e);
    auto const is_change = e.kind == step_effect_kind::change_point;
    auto const where = is_change                            ? "from step " + std::to_string(e.steps.front()) + " on"
                       : e.kind == step_effect_kind::period ? detail::period_text(e)
                                                            : "steps " + steps_text(e.steps);
    return where + ": " + std::to_string(e.steps.size()) + " of " + std::to_string(e.series) + " steps took " +
           detail::size_text(e, is_change ? "the median before" : "the median");
}

} // namespace sonde

#endif
