// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/interference.hpp"
#include "osu/driver/osu_options.hpp"
#include "osu/driver/osu_program.hpp"

#include <sonde/clock.hpp>
#include <sonde/measure/overlap.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/report/text.hpp>

#include <cstdio>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace osu {

/// Result of one row: a record. The record of a non-blocking collective is that of communication and work together; the
/// result has the separate records, too, beside OMB's work and, with `--honest`, beside a calibrated spin.
struct result {
    sonde::record record;
    std::optional<sonde::overlap_records> overlapped;
    std::optional<sonde::overlap_records> spun;
    std::optional<interference> beside;     // `--beside`: the record is of the exchange alone
    std::optional<sonde::record> completed; // `--honest`: atomic operations that shmem_quiet completes
    std::size_t transmitted = 0;            // bytes of a message of a derived datatype, without gaps

    result(sonde::record found) : record{std::move(found)} {}
    result(sonde::overlap_records beside_work, std::optional<sonde::overlap_records> beside_spin)
        : record{beside_work.both}, overlapped{std::move(beside_work)}, spun{std::move(beside_spin)} {}

    /// All records, for the reports.
    std::vector<sonde::record> records() const {
        std::vector<sonde::record> all;
        if (!overlapped) all.push_back(record);
        if (beside) all.push_back(beside->times.records.at(1));
        if (completed) all.push_back(*completed);
        for (auto const* const parts : {&overlapped, &spun})
            if (*parts) all.insert(all.end(), {(*parts)->communication, (*parts)->work, (*parts)->both});
        return all;
    }
};

/// Column beside the size. Title and text are right-aligned, usually in 18 characters.
struct column {
    std::string title;
    std::function<std::string(result const&)> text;
};

/// First column of a table, left-aligned: the size of a row, or the name of its operation. A table without a title of
/// this column has none.
struct leading_column {
    std::string title = "# Size";
    std::size_t width = 10;
};

/// The columns of a program in OMB's order, and then those of `--honest`.
std::vector<column> columns_of(program const& about, options const& asked);

/// OMB's overlap in percent, of means over ranks: 100 - 100 (both - work) / communication, without the work's MPI_Test
/// calls; 0 if that is negative.
double overlap_percent(sonde::overlap_records const& found);

/// The ceil(n percent / 100)-th of n times in ascending order, the first for 0. Throws std::invalid_argument if there
/// are no times.
sonde::seconds percentile(std::span<sonde::seconds const> times, int percent);

/// The value that a program shows for the time of an iteration: microseconds, MB/s or messages per second.
double shown(metric as, sonde::record const& found, sonde::seconds iteration);

/// `value` with two decimals, right-aligned.
std::string fixed(double value, int width = 18);
std::string right(std::string const& text, int width = 18);

/// OMB's output on rank 0's stdout. A line is written, whole, when the call returns.
class table {
public:
    /// `suffix` is inserted into the title.
    table(int rank, std::vector<column> columns, leading_column leading = {}, std::string suffix = {})
        : prints_{rank == 0}, leading_{std::move(leading)}, columns_{std::move(columns)}, suffix_{std::move(suffix)} {}

    void line(std::string text) {
        if (prints_) out_.line(std::move(text));
    }
    void title(program const& about) {
        if (about.style.blank_line) line("");
        line(title_of(about, suffix_));
    }
    void datatype(std::string const& name) { line("# Datatype: " + name + "."); }
    void titles() {
        auto text = has_leading() ? left(leading_.title, leading_.width) : first_title();
        for (auto c = other_columns(); c != columns_.end(); ++c) text += c->title;
        line(std::move(text));
    }
    /// `label`: the size, or the name of the operation.
    void row(std::string const& label, result const& found) {
        auto text = has_leading() ? left(label, leading_.width) : first_value(found);
        for (auto c = other_columns(); c != columns_.end(); ++c) text += c->text(found);
        line(std::move(text));
    }

    /// Row that is not measured: dashes in place of its first `values` values.
    void unmeasured_row(std::string const& label, std::size_t values) {
        auto text = left(label, leading_.width);
        for (std::size_t i = 0; i != values; ++i) text += right("-");
        line(std::move(text));
    }

    /// Left-aligned text in `width` characters, or more if it does not fit.
    static std::string left(std::string text, std::size_t width) {
        if (text.size() < width) text.resize(width, ' ');
        return text;
    }
    /// The title with the suffix behind its second word: "# OSU MPI-CUDA Latency Test v7.4".
    static std::string title_of(program const& about, std::string const& suffix = {}) {
        auto text = about.title;
        auto const second = text.find(' ') + 1;
        return "# " + text.insert(text.find(' ', second), suffix) + " v7.4";
    }

private:
    bool has_leading() const { return !leading_.title.empty(); }
    /// Without a leading column the first of the others starts the line, in the width of its title.
    std::vector<column>::const_iterator other_columns() const { return columns_.begin() + (has_leading() ? 0 : 1); }
    static std::string trimmed(std::string const& cell) { return cell.substr(cell.find_first_not_of(' ')); }
    std::string first_title() const { return "# " + trimmed(columns_.front().title); }
    std::string first_value(result const& found) const {
        return right(trimmed(columns_.front().text(found)), static_cast<int>(first_title().size()));
    }

    bool prints_;
    leading_column leading_;
    std::vector<column> columns_;
    std::string suffix_;
    sonde::output_file out_{stdout};
};

} // namespace osu
