// SPDX-License-Identifier: BSL-1.0
// Tables of mpiGraph: bandwidths between all ranks, of the sends and of the receives.
#include "tools/records/mpi_graph_text.hpp"

#include "tools/records/table_scanner.hpp"

#include <algorithm>

namespace tools {

namespace {

constexpr double mib = 1024.0 * 1024.0; // mpiGraph's MB

class mpi_graph_text_scanner final : public table_scanner {
public:
    using table_scanner::table_scanner;

    bool begins(text_line const& line) const override { return line.text.starts_with("START mpiGraph"); }

    line_meaning take(text_line const& line) override {
        auto const w = words_of(line.text);
        if (begins(line)) return begin(w);
        if (line.text.starts_with("END mpiGraph")) return end();
        if (!running_) return line_meaning::other;
        if (w.size() == 2 && (w[0] == "MsgSize" || w[0] == "Times" || w[0] == "Window" || w[0] == "Procs"))
            return take_setting(w);
        if ((w[0] == "Send" || w[0] == "Recv") && w.size() > 1 && w[1].find(':') != w[1].npos)
            return take_columns(w, line);
        if (open_ && w.size() > 1 && (w[1] == "to" || w[1] == "from")) return take_row(w, line);
        return is_progress(w) ? line_meaning::understood : line_meaning::other;
    }

    void end_table() override { open_ = false; }
    bool in_table() const override { return open_; }

private:
    /// "1 of 7 (14.3%)", "Gathering results", "Send max  11823.1"
    static bool is_progress(word_list const& w) {
        return (w.size() > 2 && w[1] == "of") || w[0] == "Gathering" ||
               (w.size() == 3 && (w[0] == "Send" || w[0] == "Recv"));
    }

    line_meaning begin(word_list const& w) {
        running_ = true;
        open_ = false;
        what_ = {};
        what_.program = what_.title = "mpiGraph";
        if (w.size() > 2 && w[2].starts_with('v')) what_.version = printable(w[2].substr(1));
        bytes_ = 0;
        return line_meaning::understood;
    }

    line_meaning end() {
        running_ = open_ = false;
        return line_meaning::understood;
    }

    line_meaning take_setting(word_list const& w) {
        if (w[0] == "MsgSize") bytes_ = whole_number_in(w[1]).value_or(0);
        else if (w[0] != "Times") what_.settings[std::string{w[0]}] = printable(w[1]);
        return line_meaning::understood;
    }

    line_meaning take_columns(word_list const& w, text_line const& line) {
        partners_.assign(w.begin() + 1, w.end());
        open_ = true;
        log_table t{what_, to_.path, line.number};
        t.what.settings["direction"] = w[0] == "Send" ? "send" : "receive";
        t.no_model = "no model describes it";
        to_.tables.push_back(std::move(t));
        return line_meaning::understood;
    }

    line_meaning take_row(word_list const& w, text_line const& line) {
        if (w.size() != partners_.size() + 2) return line_meaning::damaged_row;
        std::optional<std::size_t> decimals; // as many in all figures: fewer are of one that was cut
        for (std::size_t i = 0; i != partners_.size(); ++i) {
            if (!number_in(w[i + 2])) return line_meaning::damaged_row;
            if (w[0] == partners_[i]) continue;
            if (decimals && decimals != decimals_of(w[i + 2])) return line_meaning::damaged_row;
            decimals = decimals_of(w[i + 2]);
        }
        for (std::size_t i = 0; i != partners_.size(); ++i) {
            auto const rate = number_in(w[i + 2]).value_or(0) * mib;
            if (w[0] == partners_[i]) continue; // the rank itself
            if (!(rate > 0) || !(bytes_ > 0))
                to_.remarks.add("a bandwidth that is not above zero: left out", line.number);
            else to_.tables.back().rows.push_back(row(w, i, bytes_ / rate));
        }
        return line_meaning::row;
    }

    log_row row(word_list const& w, std::size_t partner, double seconds) const {
        log_row r{bytes_, 1, {sonde::seconds{seconds}}, rounding_of(sonde::seconds{seconds}, w[partner + 2])};
        r.label = printable(std::string{w[0]} + ' ' + std::string{w[1]} + ' ' + partners_[partner]);
        return r;
    }

    table_identity what_{};
    double bytes_ = 0;
    std::vector<std::string> partners_{};
    bool running_ = false, open_ = false;
};

} // namespace

std::unique_ptr<table_scanner> mpi_graph_scanner(scanned& to) { return std::make_unique<mpi_graph_text_scanner>(to); }

} // namespace tools
