// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/lateness/lateness_record.hpp>

#include <string>
#include <vector>

namespace sonde::inline v0_1 {

/// What a lateness record says, a sentence each:
///
///     Ranks waited 12.1 % of the loop (95 % interval 11.4 to 12.8 %).
///     Rank 3 caused 91 % of it: it reached `halo` 213 us late in 40 of 400 steps (9, 19, 29, ..: every 10th), because
///     its `work` took 3.0 times its median there.
[[nodiscard]] std::vector<std::string> sentences(lateness_record const& r);

} // namespace sonde

#if SONDE_DEFINITIONS
#include <sonde/report/steps.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <cstddef>

namespace sonde::inline v0_1 {

namespace detail {

/// Waiting below this share of the loop is not worth a look at its causes.
inline constexpr double little_waiting = 0.01;

inline std::string percent(double share, int decimals) { return fixed(100 * share, decimals) + " %"; }

/// "rank 2", "ranks 2 and 3", "ranks 1, 2 and 3"; of more than four the first three and the number of the others.
SONDE_INLINE std::string ranks_text(std::vector<int> const& ranks) {
    if (ranks.size() == 1) return "rank " + std::to_string(ranks[0]);
    auto const shown = ranks.size() > 4 ? 3 : ranks.size() - 1;
    std::string text = "ranks ";
    for (std::size_t i = 0; i != shown; ++i) text += (i == 0 ? "" : ", ") + std::to_string(ranks[i]);
    return text + " and " +
           (ranks.size() > 4 ? std::to_string(ranks.size() - shown) + " others" : std::to_string(ranks.back()));
}

SONDE_INLINE std::string waiting_text(lateness_record const& r) {
    auto const share = waiting_share(r);
    if (share < little_waiting) return "Waiting is below 1 % of the loop.";
    auto text = "Ranks waited " + percent(share, 1) + " of the loop";
    if (r.low) text += " (95 % interval " + fixed(100 * *r.low, 1) + " to " + percent(*r.high, 1) + ")";
    return text + ".";
}

SONDE_INLINE std::string cause_text(late_work const& w) {
    if (w.name.empty()) return "";
    if (w.ratio == 0) return ", because of its `" + plain_text(w.name) + "`";
    return ", because its `" + plain_text(w.name) + "` took " + fixed(w.ratio, 1) +
           (w.of_other_steps ? " times its median there" : " times the other ranks' median");
}

SONDE_INLINE std::string late_text(late_rank const& l, seconds waiting) {
    auto text = "Rank " + std::to_string(l.rank) + " caused " + percent(l.caused / waiting, 0) +
                " of it: it reached `" + plain_text(l.exchange) + "` " + scaled_time(l.lateness) + " late in " +
                std::to_string(l.steps.size()) + " of " + std::to_string(l.of_steps) + " steps";
    if (10 * l.steps.size() < 9 * l.of_steps) text += " (" + steps_text({l.steps.data(), l.steps.size()}) + ")";
    return text + cause_text(l.work) + ".";
}

SONDE_INLINE std::string slow_text(slow_transfer const& s) {
    return "The exchange `" + plain_text(s.exchange) + "` itself takes " + fixed(s.ratio, 1) + " times as long on " +
           ranks_text(s.ranks) + " as on the other ranks.";
}

SONDE_INLINE std::string unequal_text(std::string const& exchange, unequal_passes const& u) {
    auto const passes = [](int rank, std::size_t count) {
        return "rank " + std::to_string(rank) + ' ' + std::to_string(count) + " times";
    };
    return "Ranks passed `" + plain_text(exchange) + "` unequally often, " + passes(u.fewest_rank, u.fewest) + " and " +
           passes(u.most_rank, u.most) +
           ": steps are matched by their numbers, so the times after a pass that a rank left out belong to different "
           "steps.";
}

/// Why no rank is named: slow transfers caused more waiting than work; or no rank caused half as much again as the mean
/// of the ranks; or a rank did, in too few steps.
SONDE_INLINE std::string unnamed_causes(lateness_record const& r) {
    seconds by_work{}, by_transfer{}, most{};
    for (auto const& rank : r.ranks) {
        by_work += rank.caused_by_work;
        by_transfer += rank.caused_by_transfer;
        most = std::max(most, rank.caused_by_work);
    }
    if (by_work < by_transfer) return "most waits are for ranks whose transfers took long.";
    return most * static_cast<double>(r.ranks.size()) <= 1.5 * by_work ? "another rank is late in each step."
                                                                       : "none is late often enough.";
}

} // namespace detail

SONDE_INLINE std::vector<std::string> sentences(lateness_record const& r) {
    using namespace detail;
    if (r.exchanges.empty()) return {"No rank has an exchange, so nothing is known of waiting."};
    if (r.steps < 2) return {"Fewer than two steps are known on all ranks, so nothing is known of waiting."};
    std::vector<std::string> all{waiting_text(r)};
    auto const enough_waiting = waiting_share(r) >= little_waiting;
    for (auto const& l : r.late)
        if (enough_waiting) all.push_back(late_text(l, waiting_share(r) * r.observed));
    for (auto const& s : r.slow_transfers) all.push_back(slow_text(s));
    for (auto const& s : r.effects)
        all.push_back("`" + plain_text(s.scope) + "` on most ranks: " + to_string(s.effect) + ".");
    if (!r.enough_steps && enough_waiting) all.push_back("The steps are too few to name a rank.");
    else if (enough_waiting && r.late.empty() && r.slow_transfers.empty())
        all.push_back("No rank stands out: " + unnamed_causes(r));
    for (auto const& e : r.exchanges)
        if (e.unequal) all.push_back(unequal_text(e.name, *e.unequal));
    for (auto const& e : r.exchanges)
        if (e.unexamined != 0)
            all.push_back("Of `" + plain_text(e.name) + "`, the latest " + std::to_string(e.passes) + " of " +
                          std::to_string(e.passes + e.unexamined) + " passes were examined.");
    if (seconds{} < r.clock_error)
        all.push_back("Shorter waits than " + scaled_time(r.clock_error) +
                      ", the error of the ranks' clocks, count as transfer.");
    return all;
}

} // namespace sonde

#endif
