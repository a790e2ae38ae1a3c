// SPDX-License-Identifier: BSL-1.0
// Tables of nccl-tests and rccl-tests: all_reduce_perf and the others.
#include "tools/records/nccl_tests_text.hpp"

#include "tools/records/table_scanner.hpp"

#include <sonde/report/text.hpp>

#include <algorithm>
#include <array>
#include <set>

namespace tools {

namespace {

/// "all_reduce_perf" among the words of a line, also after a path; empty if there is none.
std::string program_in(word_list const& w) {
    for (auto word : w) {
        word.remove_prefix(word.rfind('/') == word.npos ? 0 : word.rfind('/') + 1);
        if (word.ends_with("_perf") && word.size() > 5) return printable(word);
    }
    return {};
}

/// "#       size         count      type   redop    root     time   algbw   busbw #wrong     time ...", also without
/// its
/// "#", as pages show it.
bool is_column_header(word_list const& w) {
    auto const first = !w.empty() && w[0] == "#" ? 1U : 0U;
    auto const has = [&](std::string_view title) { return std::find(w.begin(), w.end(), title) != w.end(); };
    return w.size() > 5 && w[first] == "size" && w[first + 1] == "count" && (has("time") || has("cputime")) &&
           has("algbw") && has("busbw");
}

/// Columns of one place of the result: out of place or in place.
struct place_columns {
    std::size_t time;
    std::optional<std::size_t> algbw, busbw, wrong;
};

/// Properties of a collective by the figures of its table, if no line names the program. Only some collectives divide
/// the count by the number of ranks, and a bus has 2 (n - 1) / n, (n - 1) / n or all of the bytes.
class collective_of_figures {
public:
    void add_size(std::string_view size, std::string_view count) {
        auto const bytes = whole_number_in(size).value_or(0), n = whole_number_in(count).value_or(0);
        if (bytes_of_count_ <= 0 && n > 0) bytes_of_count_ = bytes / n;
    }
    /// A difference of more than a unit of the last digit does not come from rounding.
    void add_rates(std::string_view algbw, std::string_view busbw) {
        auto const alg = number_in(algbw), bus = number_in(busbw);
        if (!alg || !bus) return;
        auto const unit = 2 * std::max(half_a_digit(algbw), half_a_digit(busbw));
        if (*bus - *alg > 1.001 * unit) bus_ = "above algbw";
        if (*alg - *bus > 1.001 * unit) bus_ = "below algbw";
    }
    void add_to(std::map<std::string, std::string>& settings) const {
        if (bytes_of_count_ > 0) settings["size/count"] = sonde::detail::fixed(bytes_of_count_, 0);
        if (!bus_.empty()) settings["busbw"] = bus_;
    }

private:
    double bytes_of_count_ = 0;
    std::string bus_{};
};

class nccl_tests_text_scanner final : public table_scanner {
public:
    using table_scanner::table_scanner;

    bool begins(text_line const& line) const override {
        return line.text.starts_with("# nThread ") || line.text.starts_with("# nccl-tests version ") ||
               line.text.starts_with("# Collective test starting: ") ||
               ((line.text.starts_with("#") || line.text.starts_with("size ")) &&
                is_column_header(words_of(line.text)));
    }

    line_meaning take(text_line const& line) override {
        auto const w = words_of(line.text);
        if (is_column_header(w)) return take_columns(w, line);
        if (line.text.starts_with("#")) return take_comment(w, line);
        if (!open_ || !whole_number_in(w[0])) return line_meaning::other;
        return take_row(w, line);
    }

    void end_table() override { open_ = false; }
    bool in_table() const override { return open_; }
    bool has_fixed_decimals() const override { return false; } // four digits of any magnitude

private:
    line_meaning take_comment(word_list const& w, text_line const& line) {
        if (line.text.starts_with("# nThread ")) begin_run(line);
        if (line.text.starts_with("# nccl-tests version ") && w.size() > 3) {
            forget_last_run();
            version_ = printable(w[3]);
        }
        if (line.text.starts_with("# Collective test starting: ")) {
            forget_last_run();
            program_ = program_in(w);
        }
        if (w.size() > 2 && w[1] == "Rank") note_rank(w);
        // The second line of the header has the units, and the lines after the table are its summary.
        auto const units = open_ && line.text.find("(us)") != line.text.npos;
        auto const summary = line.text.starts_with("# Out of bounds") || line.text.starts_with("# Avg bus") ||
                             line.text.starts_with("# Errors with asterisks") || line.text == "#";
        if (open_ && summary) open_ = false;
        return open_ && !units ? line_meaning::other : line_meaning::understood;
    }

    /// "#  Rank  0 Group  0 Pid 548419 on     node1 device  0 [000f:01:00] NVIDIA GB10"
    void note_rank(word_list const& w) {
        ++ranks_;
        auto const on = std::find(w.begin(), w.end(), "on");
        if (on == w.end() || on + 1 == w.end()) return;
        hosts_.insert(printable(on[1]));
        auto const bus = std::find_if(on, w.end(), [](auto word) { return word.starts_with('['); });
        devices_.push_back(
            {"rank " + printable(w[2]), "devices", printable(on[1]) + (bus == w.end() ? "" : ' ' + printable(*bus))});
    }

    /// "# nThread 1 nGpus 8 minBytes 8 maxBytes 134217728 step: 2(factor) warmup iters: 5 iters: 20 ..."
    void begin_run(text_line const& line) {
        open_ = false;
        forget_last_run();
        auto const w = words_of(line.text);
        for (std::size_t i = 1; i + 1 < w.size(); ++i)
            for (auto const* name : {"nThread", "nGpus", "graph:", "unalign:"})
                if (w[i] == name) settings_[std::string{w[i]}] = printable(w[i + 1]);
    }

    /// Only some versions print the program and the version, before all other lines of a run.
    void forget_last_run() {
        if (!had_table_) return;
        had_table_ = false;
        program_.clear();
        version_.clear();
        settings_.clear();
        hosts_.clear();
        devices_.clear();
        ranks_ = header_line_ = 0;
    }

    /// A header that follows a table without the lines that begin a run belongs to an unknown run.
    line_meaning take_columns(word_list w, text_line const& line) {
        if (remove_foreign_words(w)) to_.remarks.add("text behind the titles of the columns: left out", line.number);
        auto const has_hash = w[0] == "#";
        if (had_table_ || !has_hash) {
            had_table_ = true;
            forget_last_run();
            header_line_ = line.number;
        }
        had_table_ = true;
        places_.clear();
        titles_.assign(w.begin() + (has_hash ? 1 : 0), w.end());
        for (std::size_t i = 0; i != titles_.size(); ++i) {
            if (titles_[i] == "time" || titles_[i] == "cputime") places_.push_back({i, {}, {}, {}});
            if (titles_[i] == "algbw" && !places_.empty()) places_.back().algbw = i;
            if (titles_[i] == "busbw" && !places_.empty()) places_.back().busbw = i;
            if ((titles_[i] == "#wrong" || titles_[i] == "error") && !places_.empty()) places_.back().wrong = i;
        }
        open_ = true;
        first_ = true;
        header_ = line.number;
        return line_meaning::understood;
    }

    /// Columns of text: type, operation and root, after the size and the count.
    line_meaning take_row(word_list const& w, text_line const& line) {
        // A time stamp, the last column, has words of its own.
        auto const is_complete =
            titles_.back() == "timestamp" ? w.size() >= titles_.size() : w.size() == titles_.size();
        if (places_.empty() || !is_complete || !std::all_of(places_.begin(), places_.end(), [&](auto const& p) {
                return number_in(w[p.time]).has_value();
            }))
            return line_meaning::damaged_row;
        std::map<std::string, std::string> kind;
        for (std::size_t i = 2; i < places_[0].time; ++i) kind[titles_[i]] = printable(w[i]);
        if (first_ || kind != kind_) open_tables(kind);
        if (program_.empty()) note_collective(w);
        for (std::size_t i = 0; i != places_.size(); ++i) add(w, places_[i], to_.tables[first_table_ + i], line);
        return line_meaning::row;
    }

    void open_tables(std::map<std::string, std::string> const& kind) {
        first_ = false;
        kind_ = kind;
        figures_ = {};
        first_table_ = to_.tables.size();
        for (std::size_t i = 0; i != places_.size(); ++i) {
            log_table t{{}, to_.path, header_};
            t.what.program = program_.empty() ? "nccl-tests" : program_;
            t.what.title = program_.empty() ? "a table of nccl-tests" : program_ + " of nccl-tests";
            t.what.version = version_;
            t.what.header_line = header_line_;
            t.what.settings = settings_;
            t.what.settings.insert(kind.begin(), kind.end());
            if (titles_[places_[i].time] != "time") t.what.settings["time"] = titles_[places_[i].time];
            if (places_.size() > 1) t.what.settings["result"] = i == 0 ? "out of place" : "in place";
            if (ranks_ != 0) t.what.settings["ranks"] = std::to_string(ranks_);
            if (!hosts_.empty()) t.what.settings["hosts"] = std::to_string(hosts_.size());
            t.conditions = devices_;
            t.no_model = "no model describes it";
            to_.tables.push_back(std::move(t));
        }
    }

    void note_collective(word_list const& w) {
        figures_.add_size(w[0], w[1]);
        for (auto const& p : places_)
            if (p.algbw && p.busbw) figures_.add_rates(w[*p.algbw], w[*p.busbw]);
        for (std::size_t i = 0; i != places_.size(); ++i) figures_.add_to(to_.tables[first_table_ + i].what.settings);
    }

    void add(word_list const& w, place_columns const& place, log_table& to, text_line const& line) {
        auto const us = number_in(w[place.time]).value_or(0);
        if (place.wrong && number_in(w[*place.wrong]).value_or(0) > 0)
            return to_.remarks.add("its data were wrong (" + titles_[*place.wrong] + "): left out", line.number);
        if (!(us > 0)) return to_.remarks.add("a time that is not above zero: left out", line.number);
        to.rows.push_back({whole_number_in(w[0]).value_or(0),
                           1,
                           {sonde::seconds{us * 1e-6}},
                           rounding_of(sonde::seconds{us * 1e-6}, w[place.time])});
    }

    std::string program_{}, version_{};
    std::map<std::string, std::string> settings_{}, kind_{};
    collective_of_figures figures_{}; // of the open tables
    std::set<std::string> hosts_{};
    std::vector<condition> devices_{}; // of each rank
    std::size_t ranks_ = 0, header_ = 0, first_table_ = 0;
    std::size_t header_line_ = 0; // line of a header without the lines that begin a run
    std::vector<std::string> titles_{};
    std::vector<place_columns> places_{};
    bool open_ = false;
    bool first_ = false;     // no row yet
    bool had_table_ = false; // since the lines that begin a run
};

} // namespace

std::unique_ptr<table_scanner> nccl_tests_scanner(scanned& to) { return std::make_unique<nccl_tests_text_scanner>(to); }

} // namespace tools
