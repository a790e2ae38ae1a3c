// SPDX-License-Identifier: BSL-1.0
#include "tools/model/read/readers.hpp"

#include <algorithm>
#include <string_view>

namespace tools::model {

namespace {

constexpr std::string_view prefix = "# OSU ";

struct known_test {
    std::string_view title, name;
    timed_operation operation;
    std::size_t pairs;
    char const* remark;
};

constexpr known_test known[] = {
    {"Latency Test", "osu_latency", timed_operation::ping_pong, 1, ""},
    {"Latency Persistent Test", "osu_latency_persistent", timed_operation::ping_pong, 1, ""},
    {"Multi-process Latency Test", "osu_latency_mp", timed_operation::ping_pong, 1, ""},
    {"Multi Latency Test", "osu_multi_lat", timed_operation::ping_pong, 0,
     "the mean over pairs, whose number it does not say"},
    {"Multiple Bandwidth / Message Rate Test", "osu_mbw_mr", timed_operation::window, 0,
     "the mean over pairs, not the slowest"},
};

/// "Latency Test" of "# OSU MPI-CUDA Latency Test v7.4".
std::string_view title_of(std::string_view line) {
    auto title = line.substr(prefix.size());
    title.remove_prefix(std::min(title.find(' ') + 1, title.size()));
    return title.substr(0, title.find("Test") + 4);
}

/// The unit in the first parentheses after "Latency".
std::string latency_unit(std::string const& line) {
    auto const from = line.find('(', line.find("Latency"));
    return from == line.npos ? "" : line.substr(from + 1, line.find(')', from) - from - 1);
}

class omb_reader {
public:
    explicit omb_reader(text_lines const& in) : in_{in} {}

    tables_read read() {
        for (at_ = 0; at_ != in_.lines.size(); ++at_) take(in_.lines[at_]);
        std::erase_if(read_.tables, [](table const& t) { return t.rows.empty(); });
        return std::move(read_);
    }

private:
    void take(std::string const& line) {
        if (line.starts_with(prefix)) begin(line);
        else if (line.starts_with("# [ pairs:")) take_pairs(words_of(line));
        else if (line.starts_with("# Size")) take_columns(line);
        else if (in_rows_ && begins_row(line)) take_row(words_of(line));
        else if (in_rows_ && !line.empty() && line[0] != '#')
            read_.remarks.push_back(in_.position(at_) + "is no row: left out");
        else if (test_ != nullptr && !in_rows_ && begins_row(line)) in_.fail(at_, "a row before the line '# Size ...'");
    }

    void begin(std::string const& line) {
        auto const title = title_of(line);
        auto const test =
            std::find_if(std::begin(known), std::end(known), [&](auto const& k) { return k.title == title; });
        in_rows_ = false;
        test_ = test == std::end(known) ? nullptr : &*test;
        window_ = 1;
        if (test_ == nullptr)
            read_.unused.push_back(std::string{line.substr(2)} + " (line " + std::to_string(at_ + 1) + ')');
        else
            read_.tables.push_back(
                {in_.path, std::string{test_->name}, test_->operation, test_->pairs, {}, test_->remark});
    }

    void take_pairs(std::vector<std::string> const& words) { // # [ pairs: 2 ] [ window size: 64 ]
        if (test_ == nullptr || words.size() < 10) return;
        if (words[8] == "varied") {
            read_.unused.push_back("windows of several sizes (line " + std::to_string(at_ + 1) + ')');
            test_ = nullptr;
            return;
        }
        read_.tables.back().pairs = static_cast<std::size_t>(in_.positive(at_, words[3], "pairs"));
        window_ = in_.positive(at_, words[8], "window size");
    }

    void take_columns(std::string const& line) {
        if (test_ == nullptr) return;
        in_rows_ = true;
        if (test_->operation == timed_operation::window) return take_rates(words_of(line));
        if (auto const unit = latency_unit(line); unit != "us")
            in_.fail(at_, "a latency in '" + unit + "': OMB's is in us");
    }

    void take_rates(std::vector<std::string> const& titles) {
        if (titles.size() < 3 || titles[2] != "MB/s")
            in_.fail(at_, "a bandwidth in '" + (titles.size() < 3 ? "" : titles[2]) + "': OMB's is in MB/s");
        has_message_rate_ = titles.size() > 3 && titles[3] == "Messages/s";
        if (read_.tables.back().pairs == 0) in_.fail(at_, "no line '[ pairs: ... ] [ window size: ... ]' before");
    }

    void take_row(std::vector<std::string> const& words) {
        auto const size = in_.at_least_zero(at_, words[0], "size");
        auto const needed = 2U + (test_->operation == timed_operation::window && has_message_rate_ ? 1U : 0U);
        if (words.size() < needed) in_.fail(at_, "a row without its figures");
        if (std::any_of(words.begin(), words.end(), [](auto const& w) { return w == "Fail"; }))
            in_.fail(at_, "its data were wrong: Fail");
        auto& to = read_.tables.back();
        if (test_->operation == timed_operation::ping_pong)
            to.rows.push_back(
                {size, 1, {sonde::seconds{in_.positive(at_, words[1], "latency") * 1e-6}}, digit(words[1])});
        else to.rows.push_back({size * window_, 1, {window_time(size, words)}});
    }

    static sonde::seconds digit(std::string const& us) { return sonde::seconds{half_a_digit(us) * 1e-6}; }

    /// Time of a window of every pair, by the message rate if the table has it: it has more digits than the bandwidth.
    sonde::seconds window_time(double size, std::vector<std::string> const& words) {
        auto const bandwidth = in_.positive(at_, words[1], "MB/s") * 1e6;
        auto const rate = has_message_rate_ ? in_.positive(at_, words[2], "Messages/s") : bandwidth / size;
        auto const contradicts = [](double a, double b) { return a > 1.02 * b || b > 1.02 * a; };
        if (bandwidth >= 1e6 && contradicts(rate * size, bandwidth))
            in_.fail(at_, "MB/s and Messages/s contradict each other: is one in another unit?");
        return sonde::seconds{static_cast<double>(read_.tables.back().pairs) * window_ / rate};
    }

    text_lines const& in_;
    tables_read read_{};
    known_test const* test_ = nullptr; // of the current table; null if no model describes it
    double window_ = 1;                // messages
    std::size_t at_ = 0;               // line
    bool in_rows_ = false, has_message_rate_ = false;
};

} // namespace

bool is_omb_text(text_lines const& in) {
    return std::any_of(in.lines.begin(), in.lines.end(), [](auto const& l) { return l.starts_with(prefix); });
}

tables_read read_omb_text(text_lines const& in) { return omb_reader{in}.read(); }

} // namespace tools::model
