// SPDX-License-Identifier: BSL-1.0
#include "tools/records/table_scanner.hpp"

#include "tools/records/imb_text.hpp"
#include "tools/records/labels.hpp"
#include "tools/records/mpi_graph_text.hpp"
#include "tools/records/nccl_tests_text.hpp"
#include "tools/records/osu_text.hpp"

#include <cctype>
#include <utility>

namespace tools {

std::vector<std::unique_ptr<table_scanner>> all_scanners(scanned& to) {
    std::vector<std::unique_ptr<table_scanner>> all;
    all.push_back(osu_scanner(to));
    all.push_back(imb_scanner(to));
    all.push_back(nccl_tests_scanner(to));
    all.push_back(mpi_graph_scanner(to));
    return all;
}

namespace {

/// State of the open table between its rows.
class stream_scan {
public:
    explicit stream_scan(scanned& to) : to_{to}, scanners_{all_scanners(to)}, known_tables_{to.tables.size()} {}

    /// `next`: the line after this one; null at the end.
    void take(text_line const& line, text_line const* next) {
        next_ = next;
        if (line.text.empty()) {
            title_ended_ = true;
            return;
        }
        for (auto const& s : scanners_)
            if (s->begins(line)) begin(*s);
        if (now_ == nullptr) note_row_elsewhere(line);
        auto const is_other = now_ == nullptr || take_by_scanner(line) == line_meaning::other;
        if (title_ended_ || !is_other) to_.other_lines.clear();
        if (is_other) take_other_line(line);
        else headings_.end_text();
        title_ended_ = false;
        if (known_tables_ != to_.tables.size()) note_conditions();
    }

    void end() {
        for (auto const& s : scanners_) s->end_table();
    }

private:
    static constexpr char const* no_row = "is no row of its table: left out";
    static constexpr char const* cut_row = "is a row that was cut: left out";
    static constexpr char const* rows_elsewhere = "rows that belong to no header: left out";

    /// Conditions of the tables that began with the last line.
    void note_conditions() {
        for (auto const before = headings_.conditions(); known_tables_ != to_.tables.size(); ++known_tables_) {
            auto& all = to_.tables[known_tables_].conditions;
            all.insert(all.end(), before.begin(), before.end());
        }
    }

    line_meaning take_by_scanner(text_line const& line) {
        auto const found = figures_in(line);
        if (found.begin_a_row && (interrupted_ ? !continues(found) : starts_again(found))) end_table();
        auto const was_open = now_->in_table();
        if (was_open && is_cut(line, found)) return leave_out_cut(line);
        auto const meaning = now_->take(line);
        if (meaning == line_meaning::row) note_row(found);
        if (meaning == line_meaning::understood) forget_rows();
        if (meaning == line_meaning::damaged_row && was_open) to_.remarks.add(no_row, line.number);
        if (meaning == line_meaning::other && was_open) take_other(line);
        if (meaning == line_meaning::other && !was_open) note_row_elsewhere(line);
        return meaning;
    }

    void take_other_line(text_line const& line) {
        to_.other_lines.push_back(line.text);
        if (!begin_a_row(words_of(line.text))) headings_.add(line.text);
        auto const label = unknown_label(without_labels(line.text));
        if (label.empty() || std::exchange(to_.has_unknown_label, true)) return;
        to_.remarks.add("a title or a record behind '" + printable(label) + "', which is no known label: left out",
                        line.number);
    }

    /// Outside of tables: rows have a remark, also after a label that most lines do not have; other text has none.
    void note_row_elsewhere(text_line const& line) {
        auto const words = words_of(without_labels(line.text));
        if (begin_a_row(words)) to_.remarks.add(rows_elsewhere, line.number);
    }

    void begin(table_scanner& s) {
        if (now_ != nullptr && now_ != &s) now_->end_table();
        now_ = &s;
        forget_rows();
    }

    void forget_rows() {
        last_.reset();
        alignment_ = alignment::unknown;
        interrupted_ = false;
    }

    static bool is_like_a_row(text_line const& line) {
        return std::isdigit(static_cast<unsigned char>(line.text[0])) != 0;
    }

    /// Figures of a line, and the properties by which rows of any table are recognized.
    struct figures {
        bool begin_a_row = false; // the line begins with a whole number and a number
        double size = 0;
        std::size_t width = 0;     // column in which the last one ends: words after it, such as flags, have any width
        std::size_t length = 0;    // characters of the last one
        bool end_the_line = false; // nothing follows the last one
        std::vector<std::optional<std::size_t>> decimals; // of every word
    };

    static bool begin_a_row(std::vector<std::string_view> const& words) {
        return words.size() > 1 && whole_number_in(words[0]) && number_in(words[1]);
    }

    static figures figures_in(text_line const& line) {
        figures f;
        auto const words = words_of(line.text);
        f.size = whole_number_in(words[0]).value_or(0);
        f.begin_a_row = begin_a_row(words);
        for (auto const word : words) {
            f.decimals.push_back(decimals_of(word));
            f.end_the_line = number_in(word).has_value();
            if (!f.end_the_line) continue;
            f.width = static_cast<std::size_t>(word.data() + word.size() - line.text.data());
            f.length = word.size();
        }
        f.width += line.width - line.text.size();
        return f;
    }

    /// True for a row after other text that may be of the same table, and for the first row.
    bool continues(figures const& found) const {
        return !last_ || (found.size > last_->size && found.width == last_->width);
    }

    /// True for a row of a table without a header, after the rows of another one.
    bool starts_again(figures const& found) const {
        return last_ && now_->in_table() && now_->sizes_ascend() && found.size <= last_->size;
    }

    /// True for a row without its end, whatever follows it.
    bool is_cut(text_line const& line, figures const& found) const {
        if (!is_like_a_row(line)) return false;
        if (!line.is_complete && last_ && found.width != last_->width) return true;
        if (!found.end_the_line || !now_->has_fixed_decimals()) return false;
        if (line.text.ends_with('.') || (last_ && ends_too_early(found))) return true;
        return last_ && has_fewer_decimals(found) && !table_goes_on(found);
    }

    /// True if the next line is a row of the same table: a killed job prints none, and the row has a coarser figure.
    bool table_goes_on(figures const& found) const {
        if (next_ == nullptr || next_->text.empty()) return false;
        auto const next = figures_in(*next_);
        return next.begin_a_row && next.size > found.size && next.decimals.size() == found.decimals.size();
    }

    bool has_fewer_decimals(figures const& found) const {
        auto const at = found.decimals.size() - 1;
        return at < last_->decimals.size() && found.decimals[at] && found.decimals[at] < last_->decimals[at];
    }

    bool ends_too_early(figures const& found) const {
        return alignment_ == alignment::right && found.width < last_->width;
    }

    line_meaning leave_out_cut(text_line const& line) {
        to_.remarks.add(cut_row, line.number);
        interrupted_ = true;
        return line_meaning::damaged_row;
    }

    void note_row(figures const& found) {
        if (last_ && found.width != last_->width) alignment_ = alignment::ragged;
        else if (last_ && found.length != last_->length && alignment_ == alignment::unknown)
            alignment_ = alignment::right;
        last_ = found;
        interrupted_ = false;
    }

    void end_table() {
        now_->end_table();
        interrupted_ = false;
    }

    /// A comment of another program ends a table. Other text may come between rows, from another process.
    void take_other(text_line const& line) {
        if (line.text[0] == '#') return now_->end_table();
        to_.remarks.add(no_row, line.number);
        interrupted_ = true;
    }

    /// Of the last figures of the rows so far: in one column although their lengths differ, or in several.
    enum class alignment : unsigned char { unknown, right, ragged };

    scanned& to_;
    std::vector<std::unique_ptr<table_scanner>> scanners_;
    std::size_t known_tables_; // with their conditions
    headings headings_{};
    text_line const* next_ = nullptr;
    table_scanner* now_ = nullptr; // of the suite whose lines were seen last
    bool interrupted_ = false;     // by text that is not a row, since the last row
    bool title_ended_ = false;     // by a blank line, since the last other line
    std::optional<figures> last_{};
    alignment alignment_ = alignment::unknown;
};

} // namespace

void scan(text_stream const& in, scanned& to) {
    to.other_lines.clear();
    stream_scan scan{to};
    auto const first = to.tables.size();
    for (auto line = in.lines.begin(); line != in.lines.end(); ++line)
        scan.take(*line, line + 1 == in.lines.end() ? nullptr : &line[1]);
    scan.end();
    for (auto i = first; i != to.tables.size(); ++i) to.tables[i].what.rank = in.rank;
}

} // namespace tools
