// SPDX-License-Identifier: BSL-1.0
// Tables of the Intel MPI Benchmarks, 4.1 to 2021, of the original programs and of Sonde's.
#include "tools/records/imb_text.hpp"

#include "tools/records/table_scanner.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

namespace tools {

namespace {

constexpr std::string_view benchmark = "# Benchmarking ";

/// Indices of the columns of a table.
struct imb_columns {
    std::size_t count = 0;
    std::optional<std::size_t> group{}, size{}, repetitions{}, time{}, bandwidth{};
    std::optional<std::size_t> rate{}; // of messages; bandwidth and rate are sums over pairs then
    std::optional<std::size_t> defects{};
};

imb_columns columns_of(word_list const& titles) {
    imb_columns c{titles.size(),
                  index_of(titles, "Group"),
                  index_of(titles, "#bytes"),
                  index_of(titles, "#repetitions"),
                  {},
                  index_of(titles, "Mbytes/sec"),
                  index_of(titles, "Msg/sec"),
                  index_of(titles, "defects")};
    for (auto const* time : {"t_max[usec]", "t[usec]", "t_avg[usec]", "t_ovrl[usec]"})
        if (!c.time) c.time = index_of(titles, time);
    return c;
}

bool is_header(word_list const& w) {
    return w[0] == "#bytes" || w[0] == "#repetitions" || (w[0] == "Group" && w.size() > 1 && w[1] == "#bytes");
}

bool is_ping_pong(std::string_view name) {
    return name == "PingPong" || name == "PingPongSpecificSource" || name == "PingPongAnySource";
}

/// Version and part of a banner: "2019 Update 5", "MPI-1 part".
struct imb_banner {
    std::string version, part;
};

std::optional<imb_banner> banner_in(std::string_view line) {
    if (!line.starts_with("#") || line.find("Intel") == line.npos) return std::nullopt;
    auto const suite = line.find("MPI Benchmark");
    auto const comma = line.rfind(',');
    if (suite == line.npos || comma == line.npos || comma < suite) return std::nullopt;
    auto version = line.substr(suite, comma - suite);
    version.remove_prefix(std::min(version.find_first_of("0123456789"), version.size()));
    auto part = trimmed(line.substr(comma + 1)); // that of IMB-IO has no line end: dashes follow
    part = trimmed(part.substr(0, part.find("#--")));
    return imb_banner{printable(trimmed(version)), printable(part)};
}

/// Messages of a window by default: 64 before version 2021.2, 256 since. None if the version is unknown.
std::optional<double> default_window(std::string const& version) {
    int year = 0, minor = 0;
    auto const end = version.data() + version.size();
    auto const [stopped, error] = std::from_chars(version.data(), end, year);
    if (error != std::errc{}) return std::nullopt;
    if (stopped != end && *stopped == '.') std::from_chars(stopped + 1, end, minor);
    return year > 2021 || (year == 2021 && minor >= 2) ? 256 : 64;
}

/// Options of the command line that change the measurement.
constexpr std::array measured_options{"-off_cache",      "-data_type", "-red_data_type",  "-contig_type",
                                      "-root_shift",     "-sync",      "-imb_barrier",    "-thread_level",
                                      "-window_size",    "-msg_pause", "-mem_alloc_type", "-zero_size",
                                      "-aggregate_mode", "-multi"};

/// "4" of "4;", which is followed by the order of the ranks.
std::string_view without_semicolon(std::string_view word) {
    if (word.ends_with(';')) word.remove_suffix(1);
    return word;
}

class imb_text_scanner final : public table_scanner {
public:
    using table_scanner::table_scanner;

    bool begins(text_line const& line) const override {
        return line.text.starts_with(benchmark) || banner_in(line.text).has_value();
    }

    line_meaning take(text_line const& line) override {
        if (auto const banner = banner_in(line.text)) return take_banner(*banner);
        if (line.text.starts_with(benchmark)) return begin(line);
        auto const w = words_of(line.text);
        if (open_ && is_header(w)) return end_table(), line_meaning::other; // of a benchmark with an unknown title
        if (named_ && is_header(w)) return take_columns(w, line);
        if (open_ && is_row(line.text)) return take_row(w, line);
        if (line.text[0] == '#') return take_comment(w, line);
        return line_meaning::other;
    }

    void end_table() override {
        if (!times_.empty()) incomplete(row_line_);
        open_ = false;
        named_ = false;
        groups_ = 1;
    }
    bool in_table() const override { return open_; }
    bool sizes_ascend() const override { return columns_.size && !columns_.group && !has_own_sizes_; }

private:
    static bool is_row(std::string_view line) {
        return std::isdigit(static_cast<unsigned char>(line[0])) != 0 || line[0] == '-';
    }

    line_meaning take_banner(imb_banner const& banner) {
        end_table();
        banner_ = banner;
        run_settings_.clear();
        has_own_sizes_ = false;
        return line_meaning::understood;
    }

    line_meaning begin(text_line const& line) {
        end_table();
        named_ = true;
        place_ = line.number;
        auto name = line.text.substr(benchmark.size()); // a layout may follow it: "Stencil2D (2 x 2)"
        name = name.substr(0, name.find(' '));
        if (name.starts_with("Multi-")) name.remove_prefix(6);
        what_ = {};
        what_.program = printable(name);
        what_.title = "IMB " + what_.program + (banner_.part.empty() ? "" : " of the " + banner_.part);
        what_.version = banner_.version;
        what_.settings = run_settings_;
        what_.settings.erase("-multi");
        return line_meaning::understood;
    }

    /// A comment before the columns is a setting of the table; after rows, the frame of the next one ends it.
    line_meaning take_comment(word_list const& w, text_line const& line) {
        if (open_) {
            auto const is_frame = line.text.starts_with("#-----") || line.text.starts_with("# All processes") ||
                                  line.text.starts_with("# !! ");
            if (is_frame) end_table();
            return is_frame ? line_meaning::understood : line_meaning::other;
        }
        if (named_) take_table_setting(w, line);
        else take_run_setting(w);
        return line_meaning::understood;
    }

    void take_run_setting(word_list const& w) {
        if (std::find(w.begin(), w.end(), "-msglen") != w.end()) has_own_sizes_ = true;
        if (w.size() > 3 && w[1] == "MPI_Datatype" && w[2] == ":") run_settings_["datatype"] = printable(w[3]);
        for (auto option = w.begin(); option != w.end() && option + 1 != w.end(); ++option)
            if (std::find(measured_options.begin(), measured_options.end(), *option) != measured_options.end())
                run_settings_[std::string{*option}] = printable(option[1]);
    }

    void take_table_setting(word_list const& w, text_line const& line) {
        auto const number = [&](std::size_t i) { return count_in(without_semicolon(w[i])).value_or(0); };
        if (w.size() > 3 && w[1] == "#processes") { // # #processes = 4
            what_.pairs = number(3) / 2;
            if (!is_ping_pong(what_.program)) what_.settings["processes"] = printable(without_semicolon(w[3]));
        }
        if (w.size() > 5 && w[1] == "(" && w[3] == "groups") { // # ( 2 groups of 2 processes each
            what_.pairs = number(2) * (number(5) / 2);
            stated_groups_ = number(2);
        }
        if (w.size() > 3 && w[1] == "window_size" && w[2] == "=") what_.settings["-window_size"] = printable(w[3]);
        if (auto const mode = line.text.find("MODE: "); mode != line.text.npos)
            what_.settings["mode"] = printable(trimmed(line.text.substr(mode + 6)));
    }

    line_meaning take_columns(word_list w, text_line const& line) {
        if (!times_.empty()) incomplete(row_line_);
        if (remove_foreign_words(w)) to_.remarks.add("text behind the titles of the columns: left out", line.number);
        columns_ = columns_of(w);
        open_ = true;
        groups_ = columns_.group ? std::max<std::size_t>(1, stated_groups_) : 1;
        log_table t{what_, to_.path, place_};
        window_ = 0;
        if (what_.program == "Uniband" || what_.program == "Biband") use_as_windows(t);
        else if (is_ping_pong(what_.program)) use_as_ping_pongs(t);
        else t.no_model = "no model describes it";
        to_.tables.push_back(std::move(t));
        return line_meaning::understood;
    }

    /// Windows in one direction have a model, windows in both directions do not.
    void use_as_windows(log_table& t) {
        auto const option = what_.settings.find("-window_size");
        auto const named = option == what_.settings.end() ? std::nullopt : count_in(option->second);
        auto const window = named ? std::optional{static_cast<double>(*named)} : default_window(what_.version);
        window_ = window.value_or(0);
        t.what.settings.erase("-window_size");
        if (window_ > 0) t.what.settings["window"] = std::to_string(static_cast<long>(window_));
        if (what_.program != "Uniband") {
            t.no_model = "no model describes it";
            return;
        }
        t.operation = timed_operation::window;
        t.what.settings.erase("processes");
        if (!columns_.rate) t.no_model = "no column 'Msg/sec': missing, or in another unit";
        if (!columns_.bandwidth) t.no_model = "no column 'Mbytes/sec': missing, or in another unit";
        if (!(window_ > 0))
            t.no_model = "its window is of 64 or 256 messages, by the version: no banner and no -window_size name it";
        else if (!named)
            t.remark = "windows of " + std::to_string(static_cast<long>(window_)) + " messages, as of version " +
                       what_.version + " without -window_size";
    }

    void use_as_ping_pongs(log_table& t) const {
        t.operation = timed_operation::ping_pong;
        if (!columns_.bandwidth) t.no_model = "no column 'Mbytes/sec': missing, or in another unit";
        if (!columns_.time) t.no_model = "no column 't[usec]': missing, or in another unit";
        if (columns_.rate && what_.pairs > 1) t.remark = "the mean over pairs, not the slowest";
        else if (!columns_.group && what_.pairs > 1) t.remark = "all pairs in the time of the slowest (-multi 0)";
    }

    line_meaning take_row(word_list const& w, text_line const& line) {
        row_line_ = line.number;
        auto const first = columns_.group ? 1U : 0U;
        auto const is_reason = w.size() > first + 1 && std::isalpha(static_cast<unsigned char>(w[first + 1][0])) != 0;
        if (is_reason && w[first + 1].ends_with(';') && whole_number_in(w[0])) {
            to_.remarks.add("was not measured: " + printable(w[first + 1]), line.number);
            return line_meaning::understood;
        }
        auto const is_number = [](std::string_view word) { return number_in(word).has_value(); };
        auto const is_text = [](std::string_view word) {
            return std::isalpha(static_cast<unsigned char>(word[0])) != 0;
        };
        if (std::any_of(w.begin(), w.end(), is_text)) return line_meaning::other;
        if (w.size() != columns_.count || !whole_number_in(w[0]) || !std::all_of(w.begin(), w.end(), is_number))
            return line_meaning::damaged_row;
        if (columns_.defects && number_in(w[*columns_.defects]).value_or(0) > 0) {
            to_.remarks.add("its data have defects: left out", line.number);
            return line_meaning::row;
        }
        add(w, line);
        return line_meaning::row;
    }

    double value(std::optional<std::size_t> column, word_list const& w) const {
        return column ? number_in(w[*column]).value_or(0) : 0;
    }

    /// Adds the line of a group. The lines of all groups with one size make a row.
    void add(word_list const& w, text_line const& line) {
        auto& to = to_.tables.back();
        auto const size = value(columns_.size, w), n = columns_.repetitions ? value(columns_.repetitions, w) : 1;
        if (!times_.empty() && size != size_) incomplete(line.number);
        auto const time = time_of(w, size, to, line);
        if (!time || !(n > 0) || !(size >= 0)) return;
        size_ = size;
        times_.push_back(*time);
        if (times_.size() < groups_) return;
        log_row row{size, n, std::exchange(times_, {}), rounding_of(*time, w[*timed_column(to)])};
        if (to.operation == timed_operation::window) row.window = window_;
        if (timed_column(to) != columns_.time) row.rated = columns_.rate ? messages_of(to) : 1;
        to.rows.push_back(std::move(row));
    }

    /// Messages of all pairs in a window, or one message of each pair.
    double messages_of(log_table const& to) const {
        auto const pairs = columns_.rate ? static_cast<double>(std::max<std::size_t>(1, to.what.pairs)) : 1;
        return to.operation == timed_operation::window && window_ > 0 ? window_ * pairs : pairs;
    }

    void incomplete(std::size_t line) {
        times_.clear();
        to_.remarks.add("ends before all groups had a line of the size: left out", line);
    }

    /// Column that has the time, or the rate from which it follows.
    std::optional<std::size_t> timed_column(log_table const& to) const {
        auto const is_rate = to.operation == timed_operation::window || !columns_.time;
        return !is_rate ? columns_.time : columns_.rate ? columns_.rate : columns_.bandwidth;
    }

    /// Time of half a ping-pong, of a window, or of another operation.
    std::optional<sonde::seconds> time_of(word_list const& w, double size, log_table& to, text_line const& line) {
        auto const windows = to.operation == timed_operation::window;
        auto const messages = messages_of(to);
        auto const stated = windows || !columns_.time ? columns_.rate : columns_.time;
        auto const bandwidth = value(columns_.bandwidth, w);
        if (!stated && bandwidth > 0 && size > 0) return sonde::seconds{size / bandwidth * 1e-6};
        auto const figure = value(stated, w);
        if (!stated || !(figure > 0)) {
            to_.remarks.add("a time or rate that is not above zero: left out", line.number);
            return std::nullopt;
        }
        auto const seconds = stated == columns_.time ? figure * 1e-6 : messages / figure;
        if (to.operation != timed_operation::other && to.no_model.empty())
            check_bandwidth(bandwidth, messages * size / seconds * 1e-6, stated == columns_.time ? messages : 1, to,
                            line);
        return sonde::seconds{seconds};
    }

    /// Compare the printed bandwidth, in bytes per microsecond, with the one expected from the time. It may be up to
    /// `ratio` times less: the time may be the mean over pairs, and the bandwidth that of the slowest pair.
    static void check_bandwidth(double printed, double expected, double ratio, log_table& to, text_line const& line) {
        auto const at = "line " + std::to_string(line.number) + ": Mbytes/sec: ";
        if (printed <= 0 && expected >= 0.02 * ratio) to.no_model = at + "zero, where the time says otherwise";
        if (expected >= 1 && (printed > 1.1 * expected || printed < 0.9 * expected / ratio))
            to.no_model = at + "contradicts the time: is one in another unit?";
    }

    imb_banner banner_{};
    std::map<std::string, std::string> run_settings_{}; // of the banner and the command line
    table_identity what_{};
    imb_columns columns_{};
    std::size_t stated_groups_ = 1;
    std::size_t groups_ = 1;     // number of lines that make a row, one for each group
    double window_ = 0;          // messages
    bool has_own_sizes_ = false; // by -msglen, in any order
    bool named_ = false;         // after "# Benchmarking"
    bool open_ = false;
    std::vector<sonde::seconds> times_{}; // of the groups read so far
    double size_ = 0;                     // of their lines
    std::size_t row_line_ = 0, place_ = 0;
};

} // namespace

std::unique_ptr<table_scanner> imb_scanner(scanned& to) { return std::make_unique<imb_text_scanner>(to); }

} // namespace tools
