// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/report/figure.hpp>
#include <sonde/report/gnuplot.hpp>
#include <sonde/report/sample_pages.hpp>
#include <sonde/report/size_figures.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

namespace detail {

/// The samples that each rank has in the record.
std::size_t samples_per_rank(record const& r);

/// The median of each rank's samples, in microseconds.
std::vector<double> rank_medians(record const& r);

/// How much the ranks differ: the largest of their medians divided by the median of their medians.
double rank_spread(std::vector<double> medians);

/// The indices of the `max` largest values, ascending; all of them if there are no more.
std::vector<std::size_t> indices_of_largest(std::vector<double> const& values, std::size_t max);

} // namespace detail

/// A page for `draw` that shows the distribution of each rank's times of an iteration, like `violin_page`. Of more than
/// 32 ranks it shows the 32 ranks with the largest medians. Throws std::invalid_argument for a record without rank
/// samples.
[[nodiscard]] std::string rank_violin_page(std::string const& title, record const& r);

/// A page for `draw` that shows the time of each rank in each sample as a color, on a logarithmic scale: a row for each
/// rank, a column for each sample. A slow rank is a bright row, a disturbance of all ranks a bright column. With more
/// than 40 ranks or 120 samples, a cell shows the largest time of neighboring ranks or samples. Throws
/// std::invalid_argument for a record without rank samples, or without a positive time; times of 0 have no color.
[[nodiscard]] std::string rank_strip_page(std::string const& title, record const& r);

namespace detail {

/// A statistic of each rank's samples, in microseconds.
struct rank_statistic {
    char const* name;
    std::vector<double> values;

    double of_ranks() const {
        auto sorted = values;
        std::sort(sorted.begin(), sorted.end());
        return median_of_sorted(sorted);
    }
    std::string text(std::size_t rank) const {
        return "its " + std::string{name} + " is " + four_digits(values[rank]) + " us, that of the ranks' " + name +
               "s " + four_digits(of_ranks()) + " us";
    }
    double excess(std::size_t rank) const { return values[rank] - of_ranks(); }
};

} // namespace detail

/// The sentences that name the stragglers of a record on rank 0. If the record has rank samples, a sentence includes
/// the statistic that shows that the rank is slow: "Rank 3 was the slowest in 97 of 100 samples, more often than chance
/// allows; its median is 310 us, that of the ranks' medians 105 us." If the median of a straggler is not above the
/// ranks' medians, its text has the mean or the 90th percentile. Empty if there are no stragglers.
[[nodiscard]] std::vector<std::string> straggler_texts(record const& r);

} // namespace sonde

#if SONDE_DEFINITIONS
#include <numeric>
#include <stdexcept>

namespace sonde::inline v0_1::detail {

SONDE_INLINE std::size_t samples_per_rank(record const& r) { return samples_of(r, 0).size(); }

SONDE_INLINE std::vector<double> microseconds_of(record const& r, int rank) {
    std::vector<double> values;
    for (auto const t : samples_of(r, rank)) values.push_back(1e6 * t.count());
    return values;
}

SONDE_INLINE std::vector<double> rank_medians(record const& r) {
    std::vector<double> medians;
    for (int rank = 0; rank != r.ranks; ++rank) medians.push_back(1e6 * median(samples_of(r, rank)).count());
    return medians;
}

SONDE_INLINE double rank_spread(std::vector<double> medians) {
    std::sort(medians.begin(), medians.end());
    auto const middle = median_of_sorted(medians);
    return middle > 0 ? medians.back() / middle : 1;
}

/// The row reduced to at most `max` values: the largest value in each of `max` parts of nearly equal length. Shorter
/// rows stay unchanged.
SONDE_INLINE std::vector<double> largest_of_parts(std::vector<double> const& row, std::size_t max) {
    auto const n = row.size(), parts = std::min(n, max);
    std::vector<double> largest;
    for (std::size_t i = 0; i != parts; ++i) {
        auto const begin = row.begin() + static_cast<std::ptrdiff_t>(i * n / parts);
        largest.push_back(*std::max_element(begin, row.begin() + static_cast<std::ptrdiff_t>((i + 1) * n / parts)));
    }
    return largest;
}

SONDE_INLINE std::vector<std::size_t> indices_of_largest(std::vector<double> const& values, std::size_t max) {
    std::vector<std::size_t> indices(values.size());
    std::iota(indices.begin(), indices.end(), std::size_t{0});
    std::stable_sort(indices.begin(), indices.end(), [&](auto a, auto b) { return values[a] > values[b]; });
    indices.resize(std::min(indices.size(), max));
    std::sort(indices.begin(), indices.end());
    return indices;
}

SONDE_INLINE void require_rank_samples(record const& r, char const* page) {
    if (samples_per_rank(r) == 0)
        throw std::invalid_argument{std::string{"sonde::"} + page + ": the record of '" + r.point.name +
                                    "' has no rank samples"};
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

SONDE_INLINE std::string rank_violin_page(std::string const& title, record const& r) {
    detail::require_rank_samples(r, "rank_violin_page");
    constexpr std::size_t max = 32;
    std::vector<violin> violins;
    for (auto const i : detail::indices_of_largest(detail::rank_medians(r), max))
        violins.push_back({std::to_string(i), detail::microseconds_of(r, static_cast<int>(i))});
    auto const all = std::to_string(r.ranks);
    auto const label = violins.size() == static_cast<std::size_t>(r.ranks)
                           ? "rank"
                           : "rank: the " + std::to_string(max) + " of " + all + " with the largest medians";
    return violin_page(title, label, "time of an iteration (us)", violins);
}

SONDE_INLINE std::string rank_strip_page(std::string const& title, record const& r) {
    detail::require_rank_samples(r, "rank_strip_page");
    constexpr std::size_t max_rows = 40, max_columns = 120;
    auto const ranks = static_cast<std::size_t>(r.ranks), samples = detail::samples_per_rank(r);
    auto const rows = std::min(ranks, max_rows), columns = std::min(samples, max_columns);
    detail::value_range range;
    std::string cells;
    for (std::size_t row = 0; row != rows; ++row) {
        std::vector<double> largest(columns);
        for (auto rank = row * ranks / rows; rank != (row + 1) * ranks / rows; ++rank) {
            auto const of_rank =
                detail::largest_of_parts(detail::microseconds_of(r, static_cast<int>(rank)), max_columns);
            for (std::size_t i = 0; i != columns; ++i) largest[i] = std::max(largest[i], of_rank[i]);
        }
        for (auto const value : largest)
            if (value > 0) range.add(value);
        cells += detail::joined(largest, " ", [](double v) { return v > 0 ? detail::shortest(v) : "NaN"; }) + '\n';
    }
    if (range.empty()) throw std::invalid_argument{"sonde::rank_strip_page: no time is positive"};
    auto const wide = [](std::size_t all, std::size_t cell_count) {
        return detail::shortest(static_cast<double>(all) / static_cast<double>(cell_count));
    };
    auto const x = wide(samples, columns), y = wide(ranks, rows);
    auto const merged = rows < ranks || columns < samples;
    auto const shown = detail::with_margin(range, axis_scale::log10);
    return "reset\n$cells << end_of_cells\n" + cells + "end_of_cells\nset title " + detail::gnuplot_lines(title, 85) +
           "\nset palette defined (0 '#440154', 1 '#3b528b', 2 '#21918c', 3 '#5ec962', 4 '#fde725')\n"
           "set logscale cb\nset cbrange [" +
           detail::shortest(shown.low) + ':' + detail::shortest(shown.high) + "]\nset cbtics " +
           detail::decade_tics(shown).text() + "\nset cblabel " +
           gnuplot_quoted(merged ? "largest time of a cell (us)" : "time of an iteration (us)") +
           "\nset xlabel 'sample'\nset ylabel 'rank'\nset tics nomirror out\nset xrange [0:" + std::to_string(samples) +
           "]\nset yrange [" + std::to_string(ranks) + " - 0.5:-0.5]\nset ytics 0," + std::to_string((ranks + 7) / 8) +
           "\nplot $cells matrix using (($1 + 0.5) * " + x + "):(($2 + 0.5) * " + y +
           " - 0.5):3 with image pixels notitle\n";
}

} // namespace sonde

namespace sonde::inline v0_1::detail {

SONDE_INLINE std::vector<rank_statistic> rank_statistics(record const& r) {
    std::vector<rank_statistic> all{{"median", rank_medians(r)}, {"mean", {}}, {"90th percentile", {}}};
    for (int rank = 0; rank != r.ranks; ++rank) {
        auto const times = samples_of(r, rank);
        auto const sum = std::accumulate(times.begin(), times.end(), seconds{});
        all[1].values.push_back(1e6 * (sum / static_cast<double>(times.size())).count());
        all[2].values.push_back(1e6 * quantile(times, 0.9).count());
    }
    return all;
}

/// The statistic that shows that the rank is slow. This is its median if it is above the median of all ranks. Otherwise
/// it is the mean or the 90th percentile, whichever is further above, followed by the median. Empty if none of the
/// three is above.
SONDE_INLINE std::string reason_of_straggler(std::vector<rank_statistic> const& all, std::size_t rank) {
    auto const &median = all[0], &mean = all[1], &percentile = all[2];
    if (median.excess(rank) > 0) return median.text(rank);
    auto const& other = mean.excess(rank) > percentile.excess(rank) ? mean : percentile;
    return other.excess(rank) > 0 ? other.text(rank) + "; " + median.text(rank) : std::string{};
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

SONDE_INLINE std::vector<std::string> straggler_texts(record const& r) {
    std::vector<std::string> texts;
    auto const found = stragglers(r);
    auto const statistics = found.empty() || detail::samples_per_rank(r) == 0 ? std::vector<detail::rank_statistic>{}
                                                                              : detail::rank_statistics(r);
    for (auto const rank : found) {
        auto const i = static_cast<std::size_t>(rank);
        auto& text = texts.emplace_back("Rank " + std::to_string(rank) + " was the slowest in " +
                                        std::to_string(r.slowest_counts[i]) + " of " + std::to_string(r.stop.samples) +
                                        " samples, more often than chance allows");
        auto const reason = statistics.empty() ? "" : detail::reason_of_straggler(statistics, i);
        text += (reason.empty() ? "" : "; ") + reason + '.';
    }
    return texts;
}

} // namespace sonde

#endif
