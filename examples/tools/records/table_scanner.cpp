// SPDX-License-Identifier: BSL-1.0
#include "tools/records/table_scanner.hpp"

#include <cctype>

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
    explicit stream_scan(scanned& to) : to_{to}, scanners_{all_scanners(to)} {}

    void take(text_line const& line) {
        if (line.text.empty()) return;
        for (auto const& s : scanners_)
            if (s->begins(line)) begin(*s);
        if (now_ == nullptr) return;
        if (interrupted_ && is_figure_of_a_size(line) && !continues(line)) end_table();
        auto const was_open = now_->in_table();
        if (was_open && is_cut(line)) return to_.remarks.add(no_row, line.number);
        auto const meaning = now_->take(line);
        if (meaning == line_meaning::row) note_row(line);
        if (meaning == line_meaning::understood) interrupted_ = false;
        if (meaning == line_meaning::damaged_row && was_open) to_.remarks.add(no_row, line.number);
        if (meaning == line_meaning::other && was_open) take_other(line);
        if (meaning == line_meaning::other && !was_open && is_figure_of_a_size(line))
            to_.remarks.add(rows_elsewhere, line.number);
    }

    void end() {
        for (auto const& s : scanners_) s->end_table();
    }

private:
    static constexpr char const* no_row = "is no row of its table: left out";
    static constexpr char const* rows_elsewhere = "rows that belong to no header: left out";

    void begin(table_scanner& s) {
        last_size_.reset();
        if (now_ != nullptr && now_ != &s) now_->end_table();
        now_ = &s;
        interrupted_ = false;
    }

    static bool is_like_a_row(text_line const& line) {
        return std::isdigit(static_cast<unsigned char>(line.text[0])) != 0;
    }

    /// True for a line that begins as every row: with a whole number and a number.
    static bool is_figure_of_a_size(text_line const& line) {
        auto const words = words_of(line.text);
        return words.size() > 1 && whole_number_in(words[0]) && number_in(words[1]);
    }

    bool continues(text_line const& line) const {
        auto const words = words_of(line.text);
        auto const size = whole_number_in(words[0]);
        return size && last_size_ && *size > *last_size_ && line.width == last_width_;
    }

    /// True for a last row without its end.
    bool is_cut(text_line const& line) const {
        return !line.is_complete && is_like_a_row(line) && last_size_ && line.width != last_width_;
    }

    void note_row(text_line const& line) {
        last_size_ = whole_number_in(words_of(line.text)[0]);
        last_width_ = line.width;
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

    scanned& to_;
    std::vector<std::unique_ptr<table_scanner>> scanners_;
    table_scanner* now_ = nullptr; // of the suite whose lines were seen last
    bool interrupted_ = false;     // by text that is no row, since the last row
    std::optional<double> last_size_{};
    std::size_t last_width_ = 0;
};

} // namespace

void scan(text_stream const& in, scanned& to) {
    stream_scan scan{to};
    auto const first = to.tables.size();
    for (auto const& line : in.lines) scan.take(line);
    scan.end();
    for (auto i = first; i != to.tables.size(); ++i) to.tables[i].what.rank = in.rank;
}

} // namespace tools
