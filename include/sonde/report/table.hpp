// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/metrics.hpp>
#include <sonde/record.hpp>
#include <sonde/report/column.hpp>
#include <sonde/report/file.hpp>
#include <sonde/report/text.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sonde {

namespace detail {

inline std::optional<double> megabytes_per_second(record const& r) {
    return r.total.bytes > 0 ? std::optional{bandwidth(r) / 1e6} : std::nullopt;
}

inline std::optional<std::size_t> batch_of_several(record const& r) {
    return r.batch > 1 ? std::optional{r.batch} : std::nullopt;
}

} // namespace detail

/// What `table` shows of a record beside its point: times of an iteration of the slowest rank, in microseconds, and
/// what the median means in bytes per second of all initiators together.
[[nodiscard]] inline std::vector<column> default_columns() {
    return {
        {"median us", [](record const& r) { return typical(r); }, 3},
        {"median 95 % interval", [](record const& r) { return median_interval(r); }, 3},
        {"tau", [](record const& r) { return estimate_median(r).tau; }, 1},
        {"p99 us", [](record const& r) { return tail(r, 0.99); }, 3},
        {"slowest mean us", mean_of_slowest, 3},
        column{"MB/s", detail::megabytes_per_second}.where_given(),
        {"samples", [](record const& r) { return r.stopped.samples; }},
        column{"batch", detail::batch_of_several}.where_given(), // percentiles are then of batch means
        column{"errors", [](record const& r) { return r.errors; }}.where_given(),
        {"stopped by", [](record const& r) { return std::string{name(r.stopped.reason)}; }},
        {"flags", [](record const& r) { return words_of(r.flags); }},
    };
}

/// Records as the rows of an aligned table, each written as it comes.
///
/// The point's name and parameters are the first columns. A header stands above the first row, and again where a row
/// does not fit the one before: it has another column, or a text that is wider.
class table {
public:
    explicit table(output_file out, std::vector<column> columns = default_columns())
        : out_{std::move(out)}, columns_{std::move(columns)} {}

    void operator()(record const& r) {
        auto const row = cells_of(r);
        if (!fits(row)) begin(row);
        out_.line(joined([&](cell const& head) { return text_under(head, row); }));
    }

private:
    enum class source : unsigned char { name, parameter, column };
    struct cell {
        source from; // a parameter may be called as a column is
        std::string title;
        std::string text;
        bool left;
        std::size_t width = 0;
    };
    using cells = std::vector<cell>;
    static constexpr std::size_t least_width = 9; // of numbers: so that most of a sweep fits below one header

    cells cells_of(record const& r) const {
        cells row;
        if (!r.at.name.empty()) row.push_back({source::name, "name", r.at.name, true});
        for (auto const& p : r.at.parameters) row.push_back({source::parameter, p.name, p.text, !p.number});
        for (auto const& c : columns_)
            if (auto text = c.text(r); c.always || text != "-")
                row.push_back({source::column, c.title, std::move(text), c.left});
        return row;
    }

    bool fits(cells const& row) const {
        for (auto const& c : row)
            if (auto const* const head = find(header_, c); !head || head->width < detail::letters(c.text)) return false;
        return true;
    }

    /// A header for this row; columns stay as wide as they were.
    void begin(cells const& row) {
        auto const before = std::exchange(header_, row);
        if (!before.empty()) out_.line("");
        for (auto& head : header_) {
            auto const* const old = find(before, head);
            for (auto const width : {detail::letters(head.title), detail::letters(head.text),
                                     head.left ? 0 : least_width, old ? old->width : 0})
                if (width > head.width) head.width = width;
        }
        out_.line(joined([](cell const& head) { return head.title; }));
    }

    static cell const* find(cells const& among, cell const& like) {
        for (auto const& c : among)
            if (c.from == like.from && c.title == like.title) return &c;
        return nullptr;
    }

    static std::string text_under(cell const& head, cells const& row) {
        auto const* const found = find(row, head);
        return found == nullptr ? "-" : found->text;
    }

    /// What `text_of` says to each column, under one another; without blanks at the end.
    template <class TextOf>
    std::string joined(TextOf text_of) const {
        std::string line;
        for (auto const& head : header_) {
            if (!line.empty()) line += "  ";
            line += detail::padded(text_of(head), head.width, head.left);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        return line;
    }

    output_file out_;
    std::vector<column> columns_;
    cells header_;
};

} // namespace sonde
