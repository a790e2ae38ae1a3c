// SPDX-License-Identifier: BSL-1.0
#include "tools/records/json_tables.hpp"

#include "tools/records/conditions.hpp"
#include "tools/records/log.hpp"
#include "tools/records/model_points.hpp"

#include <sonde/json/values.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <string_view>

namespace tools {

namespace {

constexpr std::string_view ping_pongs[] = {
    "ping_pong",     "multi_ping_pong",        "max_rate",         "osu_latency",
    "osu_multi_lat", "osu_latency_persistent", "osu_latency_mp",   "osu_xccl_latency",
    "PingPong",      "PingPongSpecificSource", "PingPongAnySource"};
constexpr std::string_view windows[] = {"osu_bw", "osu_bw_persistent", "osu_mbw_mr", "Uniband"};

/// Parameters that follow from the size or the time of a record, or are stated otherwise.
constexpr std::string_view not_of_a_table[] = {"bytes", "repetitions", "transmitted", "samples",
                                               "pairs", "groups",      "group",       "start"};

bool is_one_of(auto const& names, std::string_view name) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

} // namespace

double setting(sonde::record const& r, std::string_view name, double otherwise) {
    for (auto const& p : r.point.parameters)
        if (p.name == name && p.number) return *p.number;
    return otherwise;
}

std::size_t pairs_of(sonde::record const& r) {
    auto const initiators = r.initiators == r.ranks ? r.initiators / 2 : r.initiators;
    auto const pairs = setting(r, "pairs", initiators * setting(r, "groups", 1));
    return pairs >= 1 && pairs <= 1e6 ? static_cast<std::size_t>(pairs) : 0;
}

namespace {

/// Count one initiator for each pair; in records of the Intel MPI Benchmarks every rank is an initiator.
sonde::record with_pair_initiators(sonde::record r) {
    if (r.initiators == r.ranks) r.initiators /= 2;
    return r;
}

std::string remark_of(sonde::record const& r) {
    for (auto const& p : r.point.parameters)
        if (p.name == "start" && p.text == "apart") return "pairs did not start together";
    return {};
}

/// Interval of the time of one message, from that of a round trip of `hops` messages.
std::optional<sonde::confidence_interval> of_message(std::optional<sonde::confidence_interval> const& trip,
                                                     double hops) {
    return trip ? std::optional{sonde::confidence_interval{trip->low / hops, trip->high / hops}} : std::nullopt;
}

log_row row_of(sonde::record const& r, std::string const& path) {
    try {
        auto const p = points_of<sonde::model::max_rate>({with_pair_initiators(r)}).front();
        auto const repetitions = static_cast<double>(r.batch), messages = repetitions * r.total.hops;
        auto const window = static_cast<double>(r.total.messages) / (p.pairs * r.total.hops);
        return {p.size.count() / window,
                setting(r, "repetitions", repetitions),
                {p.time},
                r.clock_properties.resolution / messages,
                of_message(sonde::median_interval(r), r.total.hops),
                {},
                window};
    } catch (fit_error const& e) {
        throw std::runtime_error{path + ": " + e.what()};
    }
}

table_identity identity_of(sonde::record const& r, sonde::run_file const& run) {
    table_identity what;
    what.program = what.title = r.point.name;
    what.pairs = pairs_of(r);
    for (auto const& p : r.point.parameters)
        if (!is_one_of(not_of_a_table, p.name)) what.settings[p.name] = p.text;
    if (!remark_of(r).empty()) what.settings["start"] = "apart";
    if (!run.environment) return what;
    auto const& e = *run.environment;
    if (!e.communication_library.empty()) what.settings["library"] = e.communication_library;
    if (!e.devices.empty()) what.settings["device"] = e.devices.front();
    return what;
}

/// Numbers of records with each flag.
class flag_counts {
public:
    void add(sonde::flags const& f) {
        ++records_;
        for (std::size_t i = 0; i != counts_.size(); ++i) counts_[i] += f.*sonde::all_flags[i].member ? 1 : 0;
    }
    void add_remark(std::string const& path, std::vector<std::string>& to) const {
        std::string counts;
        for (std::size_t i = 0; i != counts_.size(); ++i) {
            auto const of = counts.empty() ? " of " + std::to_string(records_) + " records are flagged " : " ";
            if (counts_[i] == 0) continue;
            counts += (counts.empty() ? "" : ", ") + std::to_string(counts_[i]) + of + sonde::all_flags[i].name;
        }
        if (!counts.empty()) to.push_back(path + ": " + counts);
    }

private:
    std::size_t records_ = 0;
    std::array<std::size_t, std::size(sonde::all_flags)> counts_{};
};

/// The tables of one run, by their identities.
class run_tables {
public:
    run_tables(sonde::run_file const& run, std::string const& path, log_contents& to)
        : run_{run}, path_{path}, to_{to} {}

    void add(sonde::record const& r) {
        if (r.point.name == "round_trips") return to_.round_trips.push_back(r);
        auto const what = identity_of(r, run_);
        auto const [known, is_new] = indices_.try_emplace(what.key(), to_.tables.size());
        if (is_new) to_.tables.push_back(empty_table(what, r));
        auto& table = to_.tables[known->second];
        if (r.errors.value_or(0) != 0) ++to_wrong_;
        else if (table.operation == timed_operation::other) table.rows.push_back({setting(r, "bytes", 0), 1, {}});
        else table.rows.push_back(row_of(r, path_));
    }
    std::size_t wrong_records() const { return to_wrong_; }

private:
    log_table empty_table(table_identity const& what, sonde::record const& r) const {
        log_table t{what, path_};
        t.conditions = conditions_of(r, run_);
        t.remark = remark_of(r);
        t.on_one_node = run_.environment && run_.environment->hosts.size() == 1;
        if (is_one_of(ping_pongs, what.program)) t.operation = timed_operation::ping_pong;
        else if (is_one_of(windows, what.program)) t.operation = timed_operation::window;
        else t.no_model = "no model describes it";
        return t;
    }

    sonde::run_file const& run_;
    std::string const& path_;
    log_contents& to_;
    std::map<std::string, std::size_t> indices_;
    std::size_t to_wrong_ = 0;
};

bool is_fitted(sonde::record const& r) {
    return r.point.name == "round_trips" || is_one_of(ping_pongs, r.point.name) || is_one_of(windows, r.point.name);
}

bool has_type_of_runs(sonde::json const& j) {
    return j.is_object() && j.contains("type") && j.at("type").is_string() &&
           is_one_of(run_line_types, j.at("type").get_ref<std::string const&>());
}

/// Runs of the lines of Sonde. Other lines are left out: messages of launchers, JSON of other programs, and records
/// that were cut.
std::vector<sonde::run_file> runs_in(std::vector<text_line> const& lines, std::string const& path,
                                     counted_remarks& remarks) {
    std::vector<sonde::run_file> runs;
    for (auto const& line : lines) {
        if (!line.text.starts_with('{')) {
            remarks.add("is no line of JSON: left out", line.number);
            continue;
        }
        auto const j = sonde::json::parse(line.text, nullptr, false);
        if (has_type_of_runs(j))
            sonde::detail::with_place(path, line.number, [&] { sonde::detail::add_line(j, runs); });
        else if (!j.is_discarded())
            remarks.add(
                "is JSON, but no record, comparison, environment, launch, scopes or lateness of Sonde: left out",
                line.number);
        else
            remarks.add(line.number == lines.back().number ? "the last record is cut: left out"
                                                           : "is no whole record of JSON: left out",
                        line.number);
    }
    return runs;
}

bool has_records(sonde::run_file const& run) { return !run.records.empty() || !run.comparisons.empty(); }

[[noreturn]] void refuse(log_contents const& read) {
    auto text = read.path + ": holds no record";
    for (auto const& r : read.remarks) text += "; " + r;
    throw std::runtime_error{text};
}

} // namespace

log_contents read_runs(std::vector<text_line> const& lines, std::string const& path) {
    log_contents read{path};
    read.is_json = true;
    counted_remarks remarks;
    read.runs = runs_in(lines, path, remarks);
    read.remarks = remarks.texts(path);
    auto const has_results = [](sonde::run_file const& run) {
        return has_records(run) || !run.scopes.empty() || !run.lateness.empty();
    };
    if (std::none_of(read.runs.begin(), read.runs.end(), has_results)) refuse(read);
    return read;
}

log_contents read_json_log(std::vector<text_line> const& lines, std::string const& path) {
    auto read = read_runs(lines, path);
    if (std::none_of(read.runs.begin(), read.runs.end(), has_records)) refuse(read);
    flag_counts flags;
    std::size_t wrong = 0;
    for (auto& run : read.runs) {
        for (auto const& [found, required] : run.comparisons)
            run.records.insert(run.records.end(), found.records.begin(), found.records.end());
        run_tables tables{run, path, read};
        for (auto const& r : run.records) {
            tables.add(r);
            if (is_fitted(r)) flags.add(r.flags);
        }
        wrong += tables.wrong_records();
    }
    std::erase_if(read.tables, [](log_table const& t) { return t.rows.empty(); });
    if (wrong != 0)
        read.notes.push_back(path + ": records whose data were wrong: " + std::to_string(wrong) + ", left out");
    flags.add_remark(path, read.notes);
    return read;
}

} // namespace tools
