// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/lateness/examined_loop.hpp>

#include <cstddef>
#include <vector>

// Tests of a rank's delays, and the steps in which it is late by each test.

namespace sonde::inline v0_1::detail {

/// The places of each rank in blocks of steps by descending value, from 0; equal values share the last place.
/// `values[r][b]`: of rank r in block b.
std::vector<std::vector<int>> places_of(std::vector<std::vector<double>> const& values);

/// P-value of a rank that is so often among the first m ranks, from its places in the blocks. Among ranks of equal
/// work, the number of these blocks has a binomial distribution with probability m / P. The least tail is multiplied by
/// the number of tried m (1, 2, 4 .. P / 2).
double p_of_places(std::vector<int> const& places, int ranks);

/// P-value of a rank whose time exceeds that of the other ranks by these margins in seconds, of consecutive steps, if
/// the mean of its margins is 0: by Student's t, with the error of the mean of an autoregressive process of order 1. So
/// a rank with noisier work than the others is not late, nor is one with noise that lasts for some steps.
///
/// The coefficient is the lag-1 autocorrelation, corrected for its bias (Marriott and Pope, Biometrika 41, 1954) and
/// raised by half a standard error. At least 6 degrees of freedom are taken: with fewer, a steady rank among ranks
/// whose noise lasts would not be found, and there would hardly be fewer false alarms, which a test counts.
double p_of_margins(std::vector<double> const& margins);

/// The same margins, of which none is farther from 0 than three times the median distance: a few long delays of other
/// ranks do not hide a steady one.
std::vector<double> clipped(std::vector<double> margins);

/// Probability that a number of Student's t distribution exceeds t (Abramowitz and Stegun, 26.7.3 and 26.7.4).
double student_tail(double t, std::size_t degrees_of_freedom);

/// The delays of at least half of the median delay.
std::vector<bool> steady_delays(std::vector<seconds> const& delays);

/// The delays of the period, of the burst, or from or up to the change point, that costs most time.
std::vector<bool> delays_in_some_steps(std::vector<seconds> const& delays, examined_loop const& loop);

/// The delays of at least half of the typical delay: half of the sum of a block comes from delays of at least this
/// size, by the median of the blocks, so that a single long delay does not count.
std::vector<bool> large_delays(std::vector<seconds> const& delays);

} // namespace sonde::detail

#if SONDE_DEFINITIONS
#include <sonde/stat/order_statistics.hpp>
#include <sonde/stat/steps.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sonde::inline v0_1::detail {

SONDE_INLINE std::vector<std::vector<int>> places_of(std::vector<std::vector<double>> const& values) {
    std::vector<std::vector<int>> places(values.size());
    for (std::size_t b = 0; b != values[0].size(); ++b) {
        std::vector<double> ascending;
        for (auto const& of_rank : values) ascending.push_back(of_rank[b]);
        std::sort(ascending.begin(), ascending.end());
        for (std::size_t r = 0; r != values.size(); ++r) {
            auto const not_smaller =
                ascending.end() - std::lower_bound(ascending.begin(), ascending.end(), values[r][b]);
            places[r].push_back(static_cast<int>(not_smaller) - 1);
        }
    }
    return places;
}

SONDE_INLINE double p_of_places(std::vector<int> const& places, int ranks) {
    auto least = 1.0;
    int tried = 0;
    for (int m = 1; m == 1 || m <= ranks / 2; m *= 2, ++tried) {
        std::size_t count = 0;
        for (auto const place : places) count += place < m;
        least = std::min(least, binomial_tail(places.size(), static_cast<double>(m) / ranks, count));
    }
    return least * tried;
}

SONDE_INLINE double student_tail(double t, std::size_t degrees_of_freedom) {
    if (t <= 0) return t == 0 ? 0.5 : 1 - student_tail(-t, degrees_of_freedom);
    auto const n = static_cast<double>(degrees_of_freedom);
    auto const angle = std::atan(t / std::sqrt(n)), cosine = std::cos(angle);
    auto const is_odd = degrees_of_freedom % 2 == 1;
    auto term = is_odd ? cosine : 1.0;
    double sum = degrees_of_freedom == 1 ? 0 : term;
    for (std::size_t k = is_odd ? 3 : 2; k < degrees_of_freedom - 1; k += 2) {
        term *= static_cast<double>(k - 1) / static_cast<double>(k) * cosine * cosine;
        sum += term;
    }
    auto const inside = is_odd ? (angle + std::sin(angle) * sum) / (2 * std::atan(1.0)) : std::sin(angle) * sum;
    return std::max(0.0, (1 - inside) / 2);
}

SONDE_INLINE double p_of_margins(std::vector<double> const& margins) {
    auto const n = static_cast<double>(margins.size());
    double sum = 0;
    for (auto const m : margins) sum += m;
    auto const mean = sum / n;
    double squares = 0, products = 0;
    for (std::size_t k = 0; k != margins.size(); ++k) {
        squares += (margins[k] - mean) * (margins[k] - mean);
        if (k != 0) products += (margins[k] - mean) * (margins[k - 1] - mean);
    }
    if (!(0 < mean)) return 1;
    if (squares <= n * mean * mean / 1e6) return 0; // hardly a deviation: what is left may be rounding
    auto const estimate = products / squares;
    auto const raised = estimate + (1 + 3 * estimate) / n + std::sqrt(std::max(0.0, 1 - estimate * estimate) / n) / 2;
    auto const time = raised < 0 ? 1 : (1 + std::min(raised, 0.99)) / (1 - std::min(raised, 0.99));
    auto const independent = n / time; // number of independent margins with the same information
    if (independent < 1.2) return 1;
    auto const error = std::sqrt(squares / (n - time) / independent);
    return student_tail(mean / error, std::max<std::size_t>(6, static_cast<std::size_t>(independent) - 1));
}

SONDE_INLINE std::vector<double> clipped(std::vector<double> margins) {
    std::vector<seconds> sizes;
    for (auto const m : margins) sizes.push_back(seconds{std::fabs(m)});
    auto const most = 3 * lower_median(std::move(sizes)).count();
    for (auto& m : margins) m = std::clamp(m, -most, most);
    return margins;
}

SONDE_INLINE std::vector<bool> delays_of_at_least(seconds least, std::vector<seconds> const& delays) {
    std::vector<bool> late;
    for (auto const d : delays) late.push_back(seconds{} < least && least <= d);
    return late;
}

SONDE_INLINE std::vector<bool> steady_delays(std::vector<seconds> const& delays) {
    return delays_of_at_least(lower_median(delays) / 2, delays);
}

SONDE_INLINE std::vector<bool> delays_in_some_steps(std::vector<seconds> const& delays, examined_loop const& loop) {
    std::vector<bool> late(delays.size());
    std::vector<double> times;
    for (auto const d : delays) times.push_back(d.count());
    step_options const options{.false_alarms = loop.false_alarms_of_test(),
                               .effect = loop.options.effect,
                               .step = loop.step_time(delays.size())};
    for (auto const& e : find_step_effects({times.data(), times.size()}, options)) {
        auto const ends = e.kind == step_effect_kind::change_point && e.excess < seconds{};
        if (e.kind == step_effect_kind::drift || (e.excess < seconds{} && !ends)) continue;
        if (ends) std::fill_n(late.begin(), e.steps.front(), true);
        else
            for (auto const s : e.steps) late[s] = true;
        break;
    }
    return late;
}

SONDE_INLINE std::vector<bool> large_delays(std::vector<seconds> const& delays) {
    constexpr auto blocks = examined_loop::blocks;
    std::array<std::vector<seconds>, blocks> parts;
    for (std::size_t k = 0; k != delays.size(); ++k)
        if (seconds{} < delays[k]) parts[k * blocks / delays.size()].push_back(delays[k]);
    std::vector<seconds> sizes;
    for (auto& block : parts) {
        if (block.empty()) continue;
        std::sort(block.begin(), block.end(), [](seconds a, seconds b) { return b < a; });
        seconds sum{}, part{};
        for (auto const d : block) sum += d;
        std::size_t i = 0;
        while (part += block[i], 2 * part < sum) ++i;
        sizes.push_back(block[i]);
    }
    return delays_of_at_least(lower_median(sizes) / 2, delays);
}

} // namespace sonde::detail

#endif
