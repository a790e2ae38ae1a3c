// SPDX-License-Identifier: BSL-1.0
#include <sonde/drawing/rank_pages.hpp>

#include <numeric>
#include <stdexcept>

namespace sonde::inline v0_1::detail {

std::size_t samples_per_rank(record const& r) { return samples_of(r, 0).size(); }

std::vector<double> microseconds_of(record const& r, int rank) {
    std::vector<double> values;
    for (auto const t : samples_of(r, rank)) values.push_back(1e6 * t.count());
    return values;
}

std::vector<double> rank_medians(record const& r) {
    std::vector<double> medians;
    for (int rank = 0; rank != r.ranks; ++rank) medians.push_back(1e6 * median(samples_of(r, rank)).count());
    return medians;
}

double rank_spread(std::vector<double> medians) {
    std::sort(medians.begin(), medians.end());
    auto const middle = median_of_sorted(medians);
    return middle > 0 ? medians.back() / middle : 1;
}

/// The row reduced to at most `max` values: the largest value in each of `max` parts of nearly equal length. Shorter
/// rows stay unchanged.
std::vector<double> largest_of_parts(std::vector<double> const& row, std::size_t max) {
    auto const n = row.size(), parts = std::min(n, max);
    std::vector<double> largest;
    for (std::size_t i = 0; i != parts; ++i) {
        auto const begin = row.begin() + static_cast<std::ptrdiff_t>(i * n / parts);
        largest.push_back(*std::max_element(begin, row.begin() + static_cast<std::ptrdiff_t>((i + 1) * n / parts)));
    }
    return largest;
}

std::vector<std::size_t> indices_of_largest(std::vector<double> const& values, std::size_t max) {
    std::vector<std::size_t> indices(values.size());
    std::iota(indices.begin(), indices.end(), std::size_t{0});
    std::stable_sort(indices.begin(), indices.end(), [&](auto a, auto b) { return values[a] > values[b]; });
    indices.resize(std::min(indices.size(), max));
    std::sort(indices.begin(), indices.end());
    return indices;
}

void require_rank_samples(record const& r, char const* page) {
    if (samples_per_rank(r) == 0)
        throw std::invalid_argument{std::string{"sonde::"} + page + ": the record of '" + r.point.name +
                                    "' has no rank samples"};
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

std::string rank_violin_page(std::string const& title, record const& r) {
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

std::string rank_strip_page(std::string const& title, record const& r) {
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
