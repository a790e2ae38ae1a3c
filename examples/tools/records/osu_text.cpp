// SPDX-License-Identifier: BSL-1.0
// Tables of the OSU Micro-Benchmarks, 3.6 to 7.5, of the original programs and of Sonde's.
#include "tools/records/osu_text.hpp"

#include "tools/records/osu_lines.hpp"
#include "tools/records/table_scanner.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace tools {

namespace {

struct known_test {
    std::string_view title, name;
    timed_operation operation;
    std::size_t pairs;
    char const* remark;
    char const* no_model;
};

constexpr char const* unit_of_size = "unit of the size";
constexpr auto pp = timed_operation::ping_pong;
constexpr char const* no_such_model = "no model describes it";
constexpr char const* no_window = "its text has no window: the JSON report has one";

constexpr known_test known_tests[] = {
    {"Latency Test", "osu_latency", pp, 1, "", ""},
    {"Latency Persistent Test", "osu_latency_persistent", pp, 1, "", ""},
    {"Partitioned Latency Test", "osu_partitioned_latency", pp, 1, "", ""},
    {"Multi-process Latency Test", "osu_latency_mp", pp, 1, "", ""},
    {"Multi Latency Test", "osu_multi_lat", pp, 0, "the mean over pairs, whose number it does not say", ""},
    {"Multiple Bandwidth / Message Rate Test", "osu_mbw_mr", timed_operation::window, 0,
     "the mean over pairs, not the slowest", ""},
    {"Bandwidth Test", "osu_bw", timed_operation::other, 1, "", no_window},
    {"Bandwidth Persistent Test", "osu_bw_persistent", timed_operation::other, 1, "", no_window},
    {"Partitioned Bandwidth Test", "osu_partitioned_bw", timed_operation::other, 1, "", no_such_model},
    {"Bi-Directional Bandwidth Test", "osu_bibw", timed_operation::other, 1, "", no_such_model},
    {"Bi-Directional Bandwidth Persistent Test", "osu_bibw_persistent", timed_operation::other, 1, "", no_such_model},
};

class osu_text_scanner final : public table_scanner {
public:
    using table_scanner::table_scanner;

    bool begins(text_line const& line) const override {
        return osu_title_of(line.text) || is_using(line.text) || is_process_count(line.text) ||
               (line.text.starts_with("# Size") && osu_columns_of(line.text));
    }

    line_meaning take(text_line const& line) override {
        if (auto const title = osu_title_of(line.text)) return begin(*title, line);
        if (is_using(line.text)) return begin_untitled(line.text);
        if (is_process_count(line.text)) return note_processes(line.text);
        if (line.text.starts_with("# [ pairs:")) return take_pairs(line);
        if (auto columns = osu_columns_of(line.text)) return take_columns(std::move(*columns), line);
        if (line.text.starts_with("# Datatype: ") || !open_)
            if (auto const setting = osu_setting_of(line.text)) return take_setting(*setting, line);
        if (open_ && !columns_->has_size && columns_->matches(words_of(line.text), false)) return take_row(line);
        return open_ && begins_row(line.text) ? take_row(line) : other(line);
    }

    void end_table() override {
        open_ = false;
        columns_.reset();
    }
    bool in_table() const override { return open_; }
    bool sizes_ascend() const override { return open_ && columns_->has_size; }

private:
    static bool begins_row(std::string_view line) {
        return std::isdigit(static_cast<unsigned char>(line[0])) != 0 || line[0] == '-';
    }
    static bool is_using(std::string_view line) {
        return line == "#Using NCCL" || line == "#Using RCCL" || line == "#Using oneCCL";
    }
    static bool is_process_count(std::string_view line) {
        return line.starts_with("# Number of Sender threads: ") || line.starts_with("# Number of Receiver threads: ") ||
               line.starts_with("# Number of forked processes in ");
    }

    void reset() {
        end_table();
        what_ = {};
        test_ = nullptr;
        window_ = 0;
        titled_ = true;
        is_osu_ = false;
        had_table_ = header_may_follow_ = false;
        place_ = 0;
        no_model_.clear();
    }

    line_meaning begin(osu_title const& title, text_line const& line) {
        auto settings = std::move(before_title_);
        reset();
        is_osu_ = true;
        what_.settings = std::move(settings);
        what_.title = title.title;
        what_.version = title.version;
        place_ = line.number;
        if (!title.has_hash) what_.header_line = line.number;
        auto const test = std::find_if(std::begin(known_tests), std::end(known_tests),
                                       [&](auto const& k) { return k.title == title.test; });
        if (test != std::end(known_tests)) test_ = &*test;
        what_.program = test_ != nullptr ? std::string{test_->name} : title.title;
        if (test_ != nullptr && title.is_xccl && what_.program.starts_with("osu_")) what_.program.insert(4, "xccl_");
        what_.pairs = test_ != nullptr ? test_->pairs : 0;
        return line_meaning::understood;
    }

    /// The programs of NCCL from point to point print no title.
    line_meaning begin_untitled(std::string_view line) {
        reset();
        is_osu_ = true;
        what_.program = what_.title = "OSU " + std::string{line.substr(7)} + " test without a title";
        return line_meaning::understood;
    }

    line_meaning note_processes(std::string_view line) {
        end_table();
        auto const setting = osu_setting_of(line);
        if (setting) before_title_[setting->first] = setting->second;
        return line_meaning::understood;
    }

    line_meaning take_pairs(text_line const& line) { // # [ pairs: 2 ] [ window size: 64 ]
        auto const words = words_of(line.text);
        end_table();
        if (had_table_) reset(); // a program has this line once, after its title
        auto const meaning = what_.title.empty() ? line_meaning::other : line_meaning::understood;
        if (words.size() < 10) return meaning;
        what_.settings["window"] = printable(words[8]);
        if (words[8] == "varied") no_model_ = "windows of several sizes";
        auto const pairs = count_in(words[3]), window = count_in(words[8]);
        what_.pairs = pairs.value_or(0);
        window_ = static_cast<double>(window.value_or(0));
        return meaning;
    }

    /// A datatype ends a table. Rows of the next one may follow without another header. A program has a datatype once:
    /// a second time it is another program's, whose title may be the text before it.
    line_meaning take_setting(std::pair<std::string, std::string> const& setting, text_line const& line) {
        auto const known = what_.settings.find(setting.first);
        auto const is_repeated = known != what_.settings.end() && known->second == setting.second;
        if (had_table_ && (is_repeated || !is_osu_)) reset();
        what_.settings[setting.first] = setting.second;
        if (what_.title.empty()) return line_meaning::other;
        header_may_follow_ = true;
        if (open_) open_table(line);
        return line_meaning::understood;
    }

    /// A header after a table belongs to its title only if a line of the same program stands between.
    line_meaning take_columns(osu_columns columns, text_line const& line) {
        if (had_table_ && !header_may_follow_) reset();
        header_may_follow_ = false;
        if (!columns.has_hash && what_.header_line == 0) what_.header_line = line.number;
        if (what_.title.empty()) begin_without_title(line);
        columns_ = std::move(columns);
        if (columns_->transmitted()) what_.settings["layout"] = "derived";
        what_.settings.erase(unit_of_size);
        if (!columns_->size_unit.empty()) what_.settings[unit_of_size] = columns_->size_unit;
        if (columns_->has_foreign_text) to_.remarks.add("text behind the titles of the columns: left out", line.number);
        open_table(line);
        return line_meaning::understood;
    }

    void begin_without_title(text_line const& line) {
        auto const title = title_before();
        titled_ = !title.empty();
        what_.program = what_.title = titled_ ? title : "a table without a title";
        if (!titled_) what_.header_line = line.number;
    }

    /// Title of an unknown program: all text directly before the header, except settings and rules; empty if that text
    /// is long.
    std::string title_before() const {
        constexpr std::size_t most_lines = 5, longest = 200;
        std::string title;
        if (to_.other_lines.size() > most_lines) return title;
        for (auto line : to_.other_lines) {
            if (osu_setting_of(line) || line.starts_with("# [ pairs:")) continue;
            line.remove_prefix(std::min(line.find_first_not_of("# \t"), line.size()));
            auto const is_word = [](unsigned char c) { return std::isalnum(c) != 0; };
            if (std::any_of(line.begin(), line.end(), is_word)) (title += title.empty() ? "" : "; ") += line;
        }
        return title.size() > longest ? "" : printable(title);
    }

    void open_table(text_line const& line) {
        open_ = had_table_ = true;
        log_table t{what_, to_.path, place_ == 0 ? line.number : std::exchange(place_, 0)};
        if (test_ != nullptr) {
            t.operation = test_->operation;
            t.remark = test_->remark;
        }
        t.no_model = reason_against_a_model();
        to_.tables.push_back(std::move(t));
    }

    /// A bandwidth without a known window, another unit, or a test that no model describes.
    std::string reason_against_a_model() const {
        if (!titled_) return "its title is missing";
        if (!no_model_.empty()) return no_model_;
        if (test_ == nullptr) return no_such_model;
        if (*test_->no_model != '\0') return test_->no_model;
        auto const& first = columns_->all[0];
        if (!columns_->size_unit.empty()) return "a size in '" + columns_->size_unit + "': OMB's is in bytes";
        if (test_->operation == pp && first.unit != osu_unit::us)
            return "a latency in '" + unit_text(first.title) + "': OMB's is in us";
        if (test_->operation == timed_operation::window && first.unit != osu_unit::mb_per_s)
            return "a bandwidth in '" + first.title + "': OMB's is in MB/s";
        if (test_->operation == timed_operation::window && (what_.pairs == 0 || !(window_ > 0)))
            return "no line '[ pairs: ... ] [ window size: ... ]' before";
        return "";
    }

    static std::string unit_text(std::string const& title) {
        auto const from = title.rfind('(');
        return from == title.npos ? "" : title.substr(from + 1, title.rfind(')') - from - 1);
    }

    line_meaning other(text_line const& line) {
        // After a table, a comment is another program's: what follows it is not of the last title.
        if (line.text[0] == '#' && had_table_) reset();
        return line_meaning::other;
    }

    line_meaning take_row(text_line const& line) {
        auto const words = words_of(line.text);
        auto const lenient = what_.program == "osu_multi_lat" || what_.title.find("CCL") != std::string::npos;
        if (!columns_->matches(words, lenient)) return meaning_of_no_row(words);
        auto& table = to_.tables.back();
        if (std::find_if(words.begin(), words.end(), is_failure) != words.end()) {
            to_.remarks.add("its data were wrong (" +
                                std::string{*std::find_if(words.begin(), words.end(), is_failure)} + "): left out",
                            line.number);
            return line_meaning::row;
        }
        auto row = row_of(words, line);
        if (row) table.rows.push_back(std::move(*row));
        return line_meaning::row;
    }
    /// A line of figures is a damaged row; a line with words belongs to another program.
    static line_meaning meaning_of_no_row(word_list const& words) {
        auto const is_word = [](auto w) {
            return std::isalpha(static_cast<unsigned char>(w[0])) != 0 && !is_failure(w);
        };
        return std::any_of(words.begin(), words.end(), is_word) ? line_meaning::other : line_meaning::damaged_row;
    }
    /// True also for a word that was cut.
    static bool is_failure(std::string_view word) {
        return std::string_view{"Fail"}.starts_with(word) || std::string_view{"failed"}.starts_with(word);
    }

    /// Size of the data that are transmitted: of a derived datatype the column "Transmit Size".
    double size_in(word_list const& words) const {
        if (!columns_->has_size) return 0;
        auto const transmitted = columns_->transmitted();
        if (transmitted && words.size() > *transmitted + 1) return whole_number_in(words[*transmitted + 1]).value_or(0);
        return whole_number_in(words[0]).value_or(0);
    }

    std::optional<log_row> row_of(word_list const& words, text_line const& line) {
        auto const size = size_in(words);
        auto const& first = words[columns_->has_size ? 1 : 0];
        auto const value = number_in(first).value_or(0);
        if (!(value > 0)) return without_time(line, first);
        switch (columns_->all[0].unit) {
        case osu_unit::us:
            return row_of(size, value * 1e-6, first);
        case osu_unit::mb_per_s:
            return rate_row(size, value * 1e6, words, line);
        case osu_unit::messages_per_s:
            return rated(row_of(size, 1 / value, first), 1);
        default:
            return std::nullopt;
        }
    }

    std::optional<log_row> without_time(text_line const& line, std::string_view word) {
        to_.remarks.add(columns_->all[0].title + ": " + std::string{word} + " is not above zero: left out",
                        line.number);
        return std::nullopt;
    }

    /// Time of a window of every pair, by the message rate if the table has it: it has more digits than the bandwidth.
    /// Without a window, the time of one message of any pair.
    std::optional<log_row> rate_row(double size, double bandwidth, word_list const& words, text_line const& line) {
        if (!(size > 0)) return without_time(line, "0 transmitted bytes");
        if (test_ == nullptr || test_->operation != timed_operation::window || !to_.tables.back().no_model.empty())
            return rated(row_of(size, size / bandwidth, words[1]), 1);
        auto const has_rate = columns_->all.size() > 1 && columns_->all[1].unit == osu_unit::messages_per_s;
        auto const rate = has_rate ? number_in(words[2]).value_or(0) : bandwidth / size;
        if (!(rate > 0)) return without_time(line, words[2]);
        auto const contradicts = [](double a, double b) { return a > 1.02 * b || b > 1.02 * a; };
        if (bandwidth >= 1e6 && contradicts(rate * size, bandwidth))
            to_.tables.back().no_model = "line " + std::to_string(line.number) +
                                         ": MB/s and Messages/s contradict each other: is one in another unit?";
        auto const messages = static_cast<double>(what_.pairs) * window_;
        auto row = rated(row_of(size, messages / rate, has_rate ? words[2] : words[1]), messages);
        row.window = window_;
        return row;
    }

    static log_row rated(log_row row, double messages) {
        row.rated = messages;
        return row;
    }

    /// Row with a time that is printed as `figure`, or that follows from this rate.
    static log_row row_of(double bytes, double seconds, std::string_view figure) {
        return {bytes, 1, {sonde::seconds{seconds}}, rounding_of(sonde::seconds{seconds}, figure)};
    }

    table_identity what_{};
    known_test const* test_ = nullptr; // null if no model describes the test
    std::optional<osu_columns> columns_{};
    std::map<std::string, std::string> before_title_{}; // settings that are printed before the title
    std::string no_model_{};
    double window_ = 0; // messages
    bool open_ = false;
    bool titled_ = true;
    bool is_osu_ = false;            // the title is one of OMB
    bool had_table_ = false;         // since the title
    bool header_may_follow_ = false; // since the last header, a datatype of the same program
    std::size_t place_ = 0;          // line of the title, before its first table
};

} // namespace

std::unique_ptr<table_scanner> osu_scanner(scanned& to) { return std::make_unique<osu_text_scanner>(to); }

} // namespace tools
