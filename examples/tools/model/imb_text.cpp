// SPDX-License-Identifier: BSL-1.0
#include "read_tables.hpp"

#include "imb_columns.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

namespace tools::model {

namespace {

constexpr std::string_view lead = "# Benchmarking ";
constexpr int usual_window = 256;

bool is_ping_pong(std::string_view name) {
    return name == "PingPong" || name == "PingPongSpecificSource" || name == "PingPongAnySource";
}

/// "Stencil2D" of a head that goes on with the layout of the processes.
std::string name_in(std::string const& head) {
    auto const name = head.substr(lead.size());
    return name.substr(0, name.find(' '));
}

std::string bare(std::string word) { // "4;" of a head that goes on with the order of ranks
    if (word.ends_with(';')) word.pop_back();
    return word;
}

class reader {
public:
    explicit reader(text_lines const& in) : in_{in} {}

    tables_read read() {
        for (at_ = 0; at_ != in_.lines.size(); ++at_) take(in_.lines[at_]);
        end_table();
        std::erase_if(found_.tables, [](table const& t) { return t.rows.empty(); });
        return std::move(found_);
    }

private:
    void take(std::string const& line) {
        auto const words = words_of(line);
        if (line.starts_with(lead)) begin(name_in(line));
        else if (line.starts_with("# ")) take_setting(words);
        else if (is_imb_columns(words)) take_columns(words);
        else if (columns_ && begins_row(line)) take_row(words);
        else if (columns_ && !words.empty() && line[0] != '#')
            found_.remarks.push_back(in_.at(at_) + "is no row: left out");
    }

    void begin(std::string name) {
        end_table();
        if (name.starts_with("Multi-")) name.erase(0, 6);
        used_ = is_ping_pong(name) || name == "Uniband";
        if (!used_) return found_.unused.push_back(name + " (line " + std::to_string(at_ + 1) + ')');
        auto const what = name == "Uniband" ? timed::window : timed::ping_pong;
        found_.tables.push_back({in_.path, name, what, 1, {}, {}});
    }

    void take_setting(std::vector<std::string> const& words) {
        if (auto const w = std::find(words.begin(), words.end(), "-window_size");
            w != words.end() && w + 1 != words.end())
            window_ = positive(in_, at_, w[1], "-window_size");
        if (!used_ || columns_ || words.size() < 4) return;
        auto const number = [&](std::size_t i) {
            return static_cast<std::size_t>(positive(in_, at_, bare(words[i]), "processes"));
        };
        if (words[1] == "#processes") found_.tables.back().pairs = number(3) / 2; // # #processes = 4
        if (words[1] == "(" && words.size() > 5 && words[3] == "groups")          // # ( 2 groups of 2 processes each
            found_.tables.back().pairs = number(2) * (number(5) / 2);
    }

    void take_columns(std::vector<std::string> const& titles) {
        if (!used_) return;
        auto& to = found_.tables.back();
        columns_ = columns_of(in_, at_, titles, to.what);
        if (columns_->group) groups_ = to.pairs;
        if (to.what == timed::window)
            to.remark =
                window_ ? "" : "windows of " + std::to_string(usual_window) + " messages, as no -window_size is named";
        else if (to.pairs > 1 && columns_->of_all_pairs) to.remark = "the mean over pairs, not the slowest";
        else if (!columns_->group && to.pairs > 1) to.remark = "all pairs in the time of the slowest (-multi 0)";
    }

    void take_row(std::vector<std::string> const& words) {
        auto const first = columns_->group ? 1U : 0U;
        if (words.size() < first + 1) in_.fail(at_, "a row without its figures");
        auto const size = at_least_zero(in_, at_, words[first], "#bytes");
        if (words.size() > first + 1 && std::isalpha(static_cast<unsigned char>(words[first + 1][0])) != 0)
            return found_.remarks.push_back(in_.at(at_) + "was not measured: " + words[first + 1]);
        if (words.size() < columns_->count) in_.fail(at_, "a row without its figures");
        if (open_.empty()) size_ = size;
        if (size != size_) in_.fail(at_, "another size before all groups had one of " + std::to_string(size_));
        add(size, words);
    }

    void add(double size, std::vector<std::string> const& words) {
        auto& to = found_.tables.back();
        auto const n = positive(in_, at_, words[columns_->repetitions], "#repetitions");
        auto const messages = to.what == timed::window ? window_.value_or(usual_window) : 1;
        auto const pairs = columns_->of_all_pairs ? static_cast<double>(to.pairs) : 1;
        open_.push_back(time_of(*columns_, in_, at_, size, words, messages * pairs));
        if (open_.size() < groups_) return;
        to.rows.push_back({messages * size, n, std::move(open_), resolution_of(*columns_, words)});
        open_.clear();
    }

    void end_table() {
        if (!open_.empty()) in_.fail(at_ - 1, "ends before all groups had a line of the size");
        columns_.reset();
        groups_ = 1;
        used_ = false;
    }

    text_lines const& in_;
    tables_read found_{};
    std::size_t at_ = 0;
    bool used_ = false;                  // the table being read
    std::optional<imb_columns> columns_; // known: rows follow
    std::optional<double> window_;       // of the command line
    std::size_t groups_ = 1;             // whose lines make a row
    std::vector<sonde::seconds> open_;   // of a row that is not complete
    double size_ = 0;
};

} // namespace

bool is_imb_text(text_lines const& in) {
    return std::any_of(in.lines.begin(), in.lines.end(), [](auto const& l) { return l.starts_with(lead); });
}

tables_read read_imb_text(text_lines const& in) { return reader{in}.read(); }

} // namespace tools::model
