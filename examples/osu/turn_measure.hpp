// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "measure.hpp"
#include "turns.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace osu {

/// `measure` checks the contents of exchanges that are taken in turn with this: every iteration has contents of its
/// own, which the thread of either side knows by its number, so any number of threads goes with any other.
template <sonde::Group G, sonde::Pattern P>
std::size_t check_contents(G& group, taking_turns<P>& pattern, payload& data, spot const& at, std::size_t span,
                           options const& asked, bool) {
    constexpr std::size_t most_rounds = 10;
    std::size_t wrong = 0;
    auto const turn = [&](std::size_t iteration, P& exchange) {
        data.write_out(at, span, iteration);
        for (std::size_t i = 0; i != asked.check.warmup; ++i) exchange();
        data.clear_in(at, span);
        exchange();
        wrong += data.count_wrong_in(at, span, iteration);
    };
    auto checked = [&] { pattern.each(turn); };
    auto const nothing = [](std::size_t) {};
    auto const found = [&](std::size_t) { return std::exchange(wrong, 0); };
    return sonde::validate(group, checked, nothing, found,
                           std::min(most_rounds, asked.iterations.value_or(most_rounds)));
}

} // namespace osu
