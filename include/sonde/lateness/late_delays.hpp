// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/lateness/examined_loop.hpp>

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
#include <cstddef>

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
