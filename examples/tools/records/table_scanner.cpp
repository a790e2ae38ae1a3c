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
        auto const found = figures_in(line);
        if (found.begin_a_row && (interrupted_ ? !continues(found) : starts_again(found))) end_table();
        auto const was_open = now_->in_table();
        if (was_open && is_cut(line, found)) return to_.remarks.add(no_row, line.number);
        auto const meaning = now_->take(line);
        if (meaning == line_meaning::row) note_row(found);
        if (meaning == line_meaning::understood) forget_rows();
        if (meaning == line_meaning::damaged_row && was_open) to_.remarks.add(no_row, line.number);
        if (meaning == line_meaning::other && was_open) take_other(line);
        if (meaning == line_meaning::other && !was_open && found.begin_a_row)
            to_.remarks.add(rows_elsewhere, line.number);
    }

    void end() {
        for (auto const& s : scanners_) s->end_table();
    }

private:
    static constexpr char const* no_row = "is no row of its table: left out";
    static constexpr char const* rows_elsewhere = "rows that belong to no header: left out";

    void begin(table_scanner& s) {
        if (now_ != nullptr && now_ != &s) now_->end_table();
        now_ = &s;
        forget_rows();
    }

    void forget_rows() {
        last_size_.reset();
        interrupted_ = false;
    }

    static bool is_like_a_row(text_line const& line) {
        return std::isdigit(static_cast<unsigned char>(line.text[0])) != 0;
    }

    /// What the figures of a line tell about rows of any table.
    struct figures {
        bool begin_a_row = false; // the line begins with a whole number and a number
        double size = 0;
        std::size_t width = 0; // column in which the last one ends: words behind it, such as flags, have any width
    };

    static figures figures_in(text_line const& line) {
        figures f;
        auto const words = words_of(line.text);
        auto const size = whole_number_in(words[0]);
        f.size = size.value_or(0);
        f.begin_a_row = size && words.size() > 1 && number_in(words[1]);
        for (auto const word : words)
            if (number_in(word)) f.width = static_cast<std::size_t>(word.data() + word.size() - line.text.data());
        f.width += line.width - line.text.size();
        return f;
    }

    /// True for a row behind other text that may be of the same table, and for the first row.
    bool continues(figures const& found) const {
        return !last_size_ || (found.size > *last_size_ && found.width == last_width_);
    }

    /// True for a row of a table without a header, behind the rows of another one.
    bool starts_again(figures const& found) const {
        return last_size_ && now_->in_table() && now_->sizes_ascend() && found.size <= *last_size_;
    }

    /// True for a last row without its end.
    bool is_cut(text_line const& line, figures const& found) const {
        return !line.is_complete && is_like_a_row(line) && last_size_ && found.width != last_width_;
    }

    void note_row(figures const& found) {
        last_size_ = found.size;
        last_width_ = found.width;
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
