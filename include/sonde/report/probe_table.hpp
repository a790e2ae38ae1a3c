// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/probe/scope_record.hpp>
#include <sonde/report/file.hpp>
#include <sonde/report/table.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sonde {

/// Scopes of a probe (the result of `collect`) as rows of an aligned table, nested scopes indented.
///
/// "passes" counts the passes of all ranks; median, p99 and max are times of single passes, in microseconds. "s per
/// rank" is the mean total time of the ranks that entered the scope. "max/mean" is the largest total divided by this
/// mean, and "slowest" is the rank with the largest total. Bytes are the mean over the passes of all ranks, MB/s per
/// rank. Columns without a value in any row are left out.
class probe_table {
public:
    explicit probe_table(output_file out) : out_{std::move(out)} {}

    void operator()(std::vector<scope_record> const& found) {
        std::vector<std::vector<std::string>> rows{{"scope", "passes", "ranks", "median us", "p99 us", "max us",
                                                    "s per rank", "max/mean", "slowest", "mean bytes", "MB/s",
                                                    "efficiency"}};
        for (auto const& r : found) rows.push_back(cells_of(r));
        std::vector<std::string> lines(rows.size());
        for (std::size_t c = 0; c != rows.front().size(); ++c) {
            auto const empty = [c](auto const& row) { return row[c] == "-"; };
            if (!found.empty() && std::all_of(rows.begin() + 1, rows.end(), empty)) continue;
            std::size_t width = 0;
            for (auto const& row : rows) width = std::max(width, detail::character_count(row[c]));
            for (std::size_t i = 0; i != rows.size(); ++i)
                lines[i] += (c == 0 ? "" : "  ") + detail::padded(rows[i][c], width, c == 0);
        }
        for (auto& line : lines) out_.line(std::move(line));
    }

private:
    static std::vector<std::string> cells_of(scope_record const& r) {
        auto const some = [&r](auto value) { return r.ranks == 0 ? std::nullopt : std::optional{value}; };
        auto const per_pass = r.bytes == 0 ? std::nullopt : some(r.bytes / static_cast<double>(r.times.count()));
        auto const speed = bandwidth(r), share = efficiency(r);
        using detail::cell_text; // shows microseconds: given a millionth of a time, it shows seconds
        return {std::string(2 * r.depth, ' ') + detail::plain_text(r.name),
                std::to_string(r.times.count()),
                std::to_string(r.ranks),
                cell_text(median(r), 1),
                cell_text(percentile(r, 0.99), 1),
                cell_text(some(r.times.max()), 1),
                cell_text(some(r.totals.mean * 1e-6), 2),
                cell_text(imbalance(r), 2),
                cell_text(some(r.slowest), 0),
                cell_text(per_pass, 0),
                cell_text(speed ? std::optional{*speed / 1e6} : speed, 1),
                share ? detail::fixed(100 * *share, 0) + " %" : "-"};
    }

    output_file out_;
};

} // namespace sonde
