// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/lateness/examined_loop.hpp>
#include <sonde/lateness/lateness_record.hpp>

#include <vector>

namespace sonde::inline v0_1::detail {

/// The exchanges whose transfers are slow on some ranks. A transfer is slow on a rank if it takes more than 1.5 times
/// as long as on the median rank in most blocks of steps, by a sign test at the rate of false alarms, and if its excess
/// has the effect. None with fewer than 4 ranks.
std::vector<slow_transfer> find_slow_transfers(examined_loop const& loop);

} // namespace sonde::detail

#if SONDE_DEFINITIONS
#include <sonde/stat/order_statistics.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace sonde::inline v0_1::detail {

/// Transfers of a rank in an exchange.
struct rank_transfers {
    std::array<seconds, examined_loop::blocks> blocks{}; // sums
    seconds excess{};                                    // over the median rank, of all steps
    seconds median{};
};

SONDE_INLINE rank_transfers transfers_of(examined_loop const& loop, std::size_t exchange, int rank) {
    rank_transfers all;
    std::vector<seconds> times;
    for (auto const s : loop.steps_of(exchange, rank)) {
        times.push_back(loop.costs.transfer(s, rank));
        all.blocks[loop.block_of(s)] += times.back();
        all.excess += loop.costs.transfer_excess(s, rank);
    }
    all.median = lower_median(times);
    return all;
}

/// The slow transfers of an exchange; without ranks if there are none.
SONDE_INLINE slow_transfer find_slow_transfer(examined_loop const& loop, std::size_t exchange) {
    constexpr auto blocks = examined_loop::blocks;
    std::vector<rank_transfers> transfers;
    for (int r = 0; r != loop.ranks(); ++r) transfers.push_back(transfers_of(loop, exchange, r));
    std::array<seconds, blocks> typical;
    for (std::size_t b = 0; b != blocks; ++b) {
        std::vector<seconds> of_ranks;
        for (auto const& t : transfers) of_ranks.push_back(t.blocks[b]);
        typical[b] = lower_median(of_ranks);
    }
    slow_transfer slow{.exchange = loop.passes.exchanges[exchange].name};
    std::vector<seconds> others, medians;
    for (int r = 0; r != loop.ranks(); ++r) {
        auto const& mine = transfers[static_cast<std::size_t>(r)];
        std::size_t count = 0;
        for (std::size_t b = 0; b != blocks; ++b) count += 1.5 * typical[b] < mine.blocks[b];
        auto const often = binomial_tail(blocks, 0.5, count) * loop.ranks() <= loop.options.false_alarms;
        auto const is_slow = often && loop.least_effect() < mine.excess;
        (is_slow ? medians : others).push_back(mine.median);
        if (!is_slow) continue;
        slow.ranks.push_back(r);
        slow.caused += loop.costs.caused_by_transfer(r);
    }
    if (slow.ranks.empty()) return slow;
    auto const least = *std::min_element(medians.begin(), medians.end()), usual = lower_median(others);
    slow.ratio = seconds{} < usual ? least / usual : 0;
    return slow;
}

SONDE_INLINE std::vector<slow_transfer> find_slow_transfers(examined_loop const& loop) {
    std::vector<slow_transfer> found;
    if (loop.ranks() < 4 || loop.passes.oversubscribed) return found;
    for (std::size_t e = 0; e != loop.passes.exchanges.size(); ++e)
        if (auto slow = find_slow_transfer(loop, e); !slow.ranks.empty()) found.push_back(std::move(slow));
    return found;
}

} // namespace sonde::detail

#endif
