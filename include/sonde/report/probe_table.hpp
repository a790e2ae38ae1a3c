// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/probe/region_record.hpp>
#include <sonde/report/column.hpp>
#include <sonde/report/file.hpp>
#include <sonde/report/text.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sonde {

/// Regions as the rows of an aligned table, those within others indented.
///
/// Passes are those of all ranks that passed; median, p99 and max are of passes, in microseconds; "s per rank" is the
/// mean over these ranks of the time they spent, "max/mean" what the slowest of them, which is named, spent beside it.
/// Bytes are of a pass, MB/s of a rank. Columns in which no region has something to show are left out.
class probe_table {
    static constexpr std::size_t columns = 12;
    using row = std::array<std::string, columns>;

public:
    explicit probe_table(output_file out) : out_{std::move(out)} {}

    void operator()(std::vector<region_record> const& found) {
        std::vector<row> rows{titles()};
        for (auto const& r : found) rows.push_back(cells_of(r));
        std::array<std::size_t, columns> widths{};
        for (std::size_t c = 0; c != columns; ++c) widths[c] = width_of(rows, c);
        for (auto const& r : rows) out_.line(joined(r, widths));
    }

private:
    static row titles() {
        return {"region",     "passes",   "ranks",   "median us", "p99 us", "max us",
                "s per rank", "max/mean", "slowest", "bytes",     "MB/s",   "of best"};
    }

    static row cells_of(region_record const& r) {
        auto const some = [&r](auto value) { return r.ranks == 0 ? std::nullopt : std::optional{value}; };
        auto const per_pass = r.bytes == 0 ? std::nullopt : some(r.bytes / static_cast<double>(r.times.count()));
        auto const speed = rate(r), share = efficiency(r);
        using detail::cell_text; // which shows times in microseconds: seconds, where it is given a millionth
        return {std::string(2 * r.depth, ' ') + r.name,
                std::to_string(r.times.count()),
                std::to_string(r.ranks),
                cell_text(typical(r), 1),
                cell_text(tail(r, 0.99), 1),
                cell_text(some(r.times.longest()), 1),
                cell_text(some(r.totals.mean * 1e-6), 2),
                cell_text(imbalance(r), 2),
                cell_text(some(r.slowest), 0),
                cell_text(per_pass, 0),
                cell_text(speed ? std::optional{*speed / 1e6} : speed, 1),
                share ? detail::fixed(100 * *share, 0) + " %" : "-"};
    }

    /// The longest text of a column; 0 where no region has one.
    static std::size_t width_of(std::vector<row> const& rows, std::size_t column) {
        std::size_t width = 0;
        auto shown = rows.size() == 1;
        for (auto const& r : rows) {
            auto const length = detail::letters(r[column]);
            if (length > width) width = length;
            if (&r != rows.data() && r[column] != "-") shown = true;
        }
        return shown ? width : 0;
    }

    static std::string joined(row const& cells, std::array<std::size_t, columns> const& widths) {
        std::string line;
        for (std::size_t c = 0; c != columns; ++c)
            if (widths[c] != 0) line += (line.empty() ? "" : "  ") + detail::padded(cells[c], widths[c], c == 0);
        return line;
    }

    output_file out_;
};

} // namespace sonde
