// SPDX-License-Identifier: BSL-1.0
#include "tools/model/read/readers.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tools::model {

namespace {

/// Indices of the columns of a table.
struct imb_columns {
    std::optional<std::size_t> group{};
    std::size_t repetitions = 1;
    std::optional<std::size_t> time{};
    std::size_t bandwidth = 0;
    std::optional<std::size_t> rate{}; // of messages
    bool of_all_pairs = false;         // bandwidth and rate are sums over pairs
    std::size_t count = 0;
};

bool is_imb_columns(std::vector<std::string> const& words) {
    return !words.empty() &&
           (words[0] == "#bytes" || (words[0] == "Group" && words.size() > 1 && words[1] == "#bytes"));
}

std::optional<std::size_t> index_of(std::vector<std::string> const& titles, std::string const& title) {
    auto const at = std::find(titles.begin(), titles.end(), title);
    if (at == titles.end()) return std::nullopt;
    return static_cast<std::size_t>(at - titles.begin());
}

/// Throws std::runtime_error if a column that `operation` needs is missing, or in another unit.
imb_columns columns_of(text_lines const& in, std::size_t line, std::vector<std::string> const& titles,
                       timed_operation operation) {
    auto const required = [&](std::string const& title) {
        auto const index = index_of(titles, title);
        if (!index) in.fail(line, "no column '" + title + "': missing, or in another unit");
        return *index;
    };
    imb_columns c;
    c.count = titles.size();
    c.group = index_of(titles, "Group");
    c.repetitions = required("#repetitions");
    c.bandwidth = required("Mbytes/sec");
    c.of_all_pairs = index_of(titles, "Msg/sec").has_value();
    if (operation == timed_operation::window) c.rate = required("Msg/sec");
    else c.time = index_of(titles, "t_max[usec]") ? index_of(titles, "t_max[usec]") : required("t[usec]");
    return c;
}

/// Compare the printed bandwidth, in bytes per microsecond, with the one expected from the time. It may be up to
/// `ratio` times less: the time may be the mean over pairs, and the bandwidth that of the slowest pair.
void check_bandwidth(text_lines const& in, std::size_t line, double printed, double expected, double ratio) {
    if (printed == 0 && expected >= 0.02 * ratio) in.fail(line, "Mbytes/sec: zero, where the time says otherwise");
    if (expected >= 1 && (printed > 1.1 * expected || printed < 0.9 * expected / ratio))
        in.fail(line, "Mbytes/sec: contradicts the time: is one in another unit?");
}

/// Time of half a ping-pong, or of a window. Throws std::runtime_error if the row's bandwidth contradicts that of
/// `messages` messages of `size` bytes in this time.
sonde::seconds time_of(imb_columns const& columns, text_lines const& in, std::size_t line, double size,
                       std::vector<std::string> const& words, double messages) {
    auto const t = columns.time ? in.positive(line, words[*columns.time], "t[usec]") * 1e-6
                                : messages / in.positive(line, words[*columns.rate], "Msg/sec");
    auto const ratio = columns.time ? messages : 1; // a mean over n pairs is at least an n-th of the slowest
    check_bandwidth(in, line, in.at_least_zero(line, words[columns.bandwidth], "Mbytes/sec"),
                    messages * size / t * 1e-6, ratio);
    return sonde::seconds{t};
}

/// Half a unit of the last digit of the printed time; zero if no time is printed.
sonde::seconds resolution_of(imb_columns const& columns, std::vector<std::string> const& words) {
    return columns.time ? sonde::seconds{half_a_digit(words[*columns.time]) * 1e-6} : sonde::seconds{};
}

constexpr std::string_view prefix = "# Benchmarking ";
constexpr int default_window = 256;

bool is_ping_pong(std::string_view name) {
    return name == "PingPong" || name == "PingPongSpecificSource" || name == "PingPongAnySource";
}

/// "Stencil2D" of "# Benchmarking Stencil2D (2 x 2)": some names are followed by the layout of the processes.
std::string name_in(std::string const& heading) {
    auto const name = heading.substr(prefix.size());
    return name.substr(0, name.find(' '));
}

/// "4" of "4;", which is followed by the order of the ranks.
std::string without_semicolon(std::string word) {
    if (word.ends_with(';')) word.pop_back();
    return word;
}

class imb_reader {
public:
    explicit imb_reader(text_lines const& in) : in_{in} {}

    tables_read read() {
        for (at_ = 0; at_ != in_.lines.size(); ++at_) take(in_.lines[at_]);
        end_table();
        std::erase_if(read_.tables, [](table const& t) { return t.rows.empty(); });
        return std::move(read_);
    }

private:
    void take(std::string const& line) {
        auto const words = words_of(line);
        if (line.starts_with(prefix)) begin(name_in(line));
        else if (line.starts_with("# ")) take_setting(words);
        else if (is_imb_columns(words)) take_columns(words);
        else if (columns_ && begins_row(line)) take_row(words);
        else if (columns_ && !words.empty() && line[0] != '#')
            read_.remarks.push_back(in_.position(at_) + "is no row: left out");
    }

    void begin(std::string name) {
        end_table();
        if (name.starts_with("Multi-")) name.erase(0, 6);
        used_ = is_ping_pong(name) || name == "Uniband";
        if (!used_) return read_.unused.push_back(name + " (line " + std::to_string(at_ + 1) + ')');
        auto const operation = name == "Uniband" ? timed_operation::window : timed_operation::ping_pong;
        read_.tables.push_back({in_.path, name, operation, 1, {}, {}});
    }

    void take_setting(std::vector<std::string> const& words) {
        if (auto const w = std::find(words.begin(), words.end(), "-window_size");
            w != words.end() && w + 1 != words.end())
            window_ = in_.positive(at_, w[1], "-window_size");
        if (!used_ || columns_ || words.size() < 4) return;
        auto const number = [&](std::size_t i) {
            return static_cast<std::size_t>(in_.positive(at_, without_semicolon(words[i]), "processes"));
        };
        if (words[1] == "#processes") read_.tables.back().pairs = number(3) / 2; // # #processes = 4
        if (words[1] == "(" && words.size() > 5 && words[3] == "groups")         // # ( 2 groups of 2 processes each
            read_.tables.back().pairs = number(2) * (number(5) / 2);
    }

    void take_columns(std::vector<std::string> const& titles) {
        if (!used_) return;
        auto& to = read_.tables.back();
        columns_ = columns_of(in_, at_, titles, to.operation);
        if (columns_->group) groups_ = to.pairs;
        if (to.operation == timed_operation::window)
            to.remark = window_
                            ? ""
                            : "windows of " + std::to_string(default_window) + " messages, as no -window_size is named";
        else if (to.pairs > 1 && columns_->of_all_pairs) to.remark = "the mean over pairs, not the slowest";
        else if (!columns_->group && to.pairs > 1) to.remark = "all pairs in the time of the slowest (-multi 0)";
    }

    void take_row(std::vector<std::string> const& words) {
        auto const first = columns_->group ? 1U : 0U;
        if (words.size() < first + 1) in_.fail(at_, "a row without its figures");
        auto const size = in_.at_least_zero(at_, words[first], "#bytes");
        if (words.size() > first + 1 && std::isalpha(static_cast<unsigned char>(words[first + 1][0])) != 0)
            return read_.remarks.push_back(in_.position(at_) + "was not measured: " + words[first + 1]);
        if (words.size() < columns_->count) in_.fail(at_, "a row without its figures");
        if (times_.empty()) size_ = size;
        if (size != size_) in_.fail(at_, "another size before all groups had one of " + std::to_string(size_));
        add(size, words);
    }

    void add(double size, std::vector<std::string> const& words) {
        auto& to = read_.tables.back();
        auto const n = in_.positive(at_, words[columns_->repetitions], "#repetitions");
        auto const messages = to.operation == timed_operation::window ? window_.value_or(default_window) : 1;
        auto const pairs = columns_->of_all_pairs ? static_cast<double>(to.pairs) : 1;
        times_.push_back(time_of(*columns_, in_, at_, size, words, messages * pairs));
        if (times_.size() < groups_) return;
        to.rows.push_back({messages * size, n, std::move(times_), resolution_of(*columns_, words)});
        times_.clear();
    }

    void end_table() {
        if (!times_.empty()) in_.fail(at_ - 1, "ends before all groups had a line of the size");
        columns_.reset();
        groups_ = 1;
        used_ = false;
    }

    text_lines const& in_;
    tables_read read_{};
    std::size_t at_ = 0;                 // line
    bool used_ = false;                  // the current table is of a known benchmark
    std::optional<imb_columns> columns_; // of the current table, once its rows have begun
    std::optional<double> window_;       // messages, from the command line
    std::size_t groups_ = 1;             // number of lines that make a row, one for each group
    std::vector<sonde::seconds> times_;  // of the groups read so far
    double size_ = 0;                    // of their lines
};

} // namespace

bool is_imb_text(text_lines const& in) {
    return std::any_of(in.lines.begin(), in.lines.end(), [](auto const& l) { return l.starts_with(prefix); });
}

tables_read read_imb_text(text_lines const& in) { return imb_reader{in}.read(); }

} // namespace tools::model
