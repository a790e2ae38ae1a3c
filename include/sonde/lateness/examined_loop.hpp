// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/lateness/delay_costs.hpp>
#include <sonde/lateness/exchange_passes.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace sonde::inline v0_1 {

/// Options of `find_lateness`.
struct lateness_options {
    double effect = 0.05;       // a rank is named if another rank waited this share of its time for it
    double false_alarms = 0.01; // share of reports that name a rank although all ranks have equal work
};

namespace detail {

/// A loop in which late ranks and slow transfers are looked for.
struct examined_loop {
    static constexpr std::size_t blocks = 20; // into which tests divide the steps
    using by_block = std::array<seconds, blocks>;

    exchange_passes const& passes;
    lateness_options options;
    delay_costs costs{passes};
    seconds time{}; // of a rank in the counted steps

    int ranks() const { return passes.ranks; }
    bool enough_steps() const { return passes.steps.size() >= 2 * blocks; }
    std::size_t block_of(std::size_t step) const { return step * blocks / passes.steps.size(); }
    /// Mean time of a step; `steps`: number of steps of the exchange in the loop.
    seconds step_time(std::size_t steps) const { return time / static_cast<double>(std::max<std::size_t>(steps, 1)); }
    /// Time that costs the effect.
    seconds least_effect() const { return options.effect * time; }
    /// Rate of false alarms of a test of a rank in an exchange, of which there are three.
    double false_alarms_of_test() const {
        return options.false_alarms / 3 / ranks() / static_cast<double>(passes.exchanges.size());
    }
    /// The steps of an exchange in which the rank took part, except for its first one.
    std::vector<std::size_t> steps_of(std::size_t exchange, int rank) const {
        std::vector<std::size_t> steps;
        for (std::size_t s = 0; s != passes.steps.size(); ++s)
            if (passes.steps[s].exchange == exchange && costs.counted(s, rank)) steps.push_back(s);
        return steps;
    }
};

} // namespace detail

} // namespace sonde
