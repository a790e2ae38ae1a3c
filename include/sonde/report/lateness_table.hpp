// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/lateness/lateness_record.hpp>
#include <sonde/report/text.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace sonde::inline v0_1 {

namespace detail {

/// Rows of the exchanges of a loop, the titles first: examined passes of each rank, and of how many, waiting and
/// transfer as shares of the ranks' time.
std::vector<std::vector<std::string>> exchange_rows(lateness_record const& r);

/// Rows of the ranks that caused most of the waiting, at most `most`, the titles first: the share of its time that the
/// rank waited, and the shares of all waiting that it caused by its work and by its transfers.
std::vector<std::vector<std::string>> rank_rows(lateness_record const& r, std::size_t most);

} // namespace detail

/// Reporter: who made the ranks of a loop wait (the result of `collect_lateness`), as sentences and two tables.
///
/// "passes" are the examined ones, "2048 of 20000" if not all are kept. "waiting" and "transfer" are shares of the
/// ranks' time in the examined steps. Of the ranks, the eight are shown that caused most of the waiting: "waited" is a
/// share of the rank's time, "caused" and "by transfer" are shares of all waiting.
class lateness_table {
public:
    explicit lateness_table(output_file out) : out_{std::move(out)} {}

    void operator()(lateness_record const& r);

private:
    void write(std::vector<std::vector<std::string>> const& rows);

    output_file out_;
};

} // namespace sonde

#if SONDE_DEFINITIONS
#include <sonde/lateness/sentences.hpp>

#include <algorithm>
#include <numeric>

namespace sonde::inline v0_1 {

namespace detail {

/// "400", "2048 of 20000" if earlier passes are not kept, "60 of 60 to 61" if ranks passed it unequally often.
SONDE_INLINE std::string passes_text(exchange_lateness const& e) {
    auto const examined = std::to_string(e.passes);
    if (e.unequal)
        return examined + " of " + std::to_string(e.unequal->fewest) + " to " + std::to_string(e.unequal->most);
    return e.unexamined == 0 ? examined : examined + " of " + std::to_string(e.passes + e.unexamined);
}

SONDE_INLINE std::vector<std::vector<std::string>> exchange_rows(lateness_record const& r) {
    std::vector<std::vector<std::string>> rows{{"exchange", "passes", "waiting", "transfer"}};
    for (auto const& e : r.exchanges) {
        auto const share = [&](seconds time) { return seconds{} < r.observed ? percent(time / r.observed, 1) : "-"; };
        rows.push_back({plain_text(e.name), passes_text(e), share(e.waiting), share(e.transfer)});
    }
    return rows;
}

SONDE_INLINE std::vector<std::vector<std::string>> rank_rows(lateness_record const& r, std::size_t most) {
    std::vector<std::size_t> order(r.ranks.size());
    std::iota(order.begin(), order.end(), std::size_t{});
    auto const caused = [&](std::size_t i) { return r.ranks[i].caused_by_work + r.ranks[i].caused_by_transfer; };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return caused(b) < caused(a); });
    std::vector<std::vector<std::string>> rows{{"rank", "waited", "caused", "by transfer"}};
    auto const waiting = waiting_share(r) * r.observed;
    for (auto const i : order) {
        if (rows.size() > most || !(seconds{} < waiting)) break;
        rows.push_back(
            {std::to_string(i), percent(r.ranks[i].waiting / r.observed * static_cast<double>(r.ranks.size()), 1),
             percent(r.ranks[i].caused_by_work / waiting, 1), percent(r.ranks[i].caused_by_transfer / waiting, 1)});
    }
    return rows;
}

} // namespace detail

SONDE_INLINE void lateness_table::operator()(lateness_record const& r) {
    for (auto& sentence : sentences(r)) out_.line(std::move(sentence));
    if (r.steps < 2) return;
    write(detail::exchange_rows(r));
    if (auto const ranks = detail::rank_rows(r, 8); ranks.size() > 1) write(ranks);
}

SONDE_INLINE void lateness_table::write(std::vector<std::vector<std::string>> const& rows) {
    out_.line("");
    std::vector<std::string> lines(rows.size());
    for (std::size_t c = 0; c != rows[0].size(); ++c) detail::append_column(lines, rows, c, c == 0);
    for (auto& line : lines) out_.line(std::move(line));
}

} // namespace sonde

#endif
