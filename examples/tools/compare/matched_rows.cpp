// SPDX-License-Identifier: BSL-1.0
#include "tools/compare/matched_rows.hpp"

#include "tools/compare/comparison.hpp"
#include "tools/records/conditions.hpp"
#include "tools/records/environments.hpp"
#include "tools/records/json_tables.hpp"
#include "tools/records/log.hpp"
#include "tools/records/series.hpp"
#include "tools/text.hpp"

#include <sonde/clock.hpp>
#include <sonde/measure/record.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

// Launches of both sides: rows of a log become rows of the records in JSON that the same programs write, and rows of
// both sides are matched.

namespace tools {

namespace {

/// Parameters of a record that no text has, or that its table has in another form.
constexpr std::string_view not_in_text[] = {"bytes",  "repetitions",  "samples", "group", "groups", "mode",     "part",
                                            "window", "window_parts", "buffers", "pairs", "start",  "processes"};

/// Settings of a table that the records of its program do not have.
constexpr std::string_view not_in_records[] = {"datatype"};

bool is_one_of(auto const& names, std::string_view name) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool are_equal(std::string_view a, std::string_view b) {
    auto const lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

/// True if a record may be of this table: every setting of the one is in the other, unless its kind never is.
bool is_of(log_table const& t, sonde::record const& r) {
    auto settings = t.what.settings;
    for (auto const& p : r.point.parameters) {
        auto const known = settings.find(p.name);
        if (known == settings.end() ? !is_one_of(not_in_text, p.name) : !are_equal(known->second, p.text)) return false;
        if (known != settings.end()) settings.erase(known);
    }
    for (auto const& [name, value] : settings)
        if (!is_one_of(not_in_records, name)) return false;
    auto const counts_pairs = t.operation != timed_operation::other && t.what.pairs != 0;
    return !counts_pairs || pairs_of(r) == t.what.pairs;
}

/// Finds the record of each row, and notes the keys of those that were found.
class record_finder {
public:
    explicit record_finder(std::vector<sonde::run_file> const& runs) {
        for (auto const& run : runs)
            for (auto const& r : run.records) records_[{r.point.name, setting(r, "bytes", 0)}].push_back(&r);
    }

    /// Record of a row; null if there is none, or if several rows of records may be this one.
    sonde::record const* record_of(log_table const& t, log_row const& row) {
        std::map<std::string, sonde::record const*> found;
        auto const known = records_.find({t.what.program, row.bytes});
        if (known == records_.end() || row.times.size() != 1) return nullptr;
        for (auto const* const r : known->second)
            if (is_of(t, *r)) found.emplace(key_of(r->point), r);
        if (found.size() != 1) return nullptr;
        found_.insert(found.begin()->first);
        return found.begin()->second;
    }
    bool was_found(sonde::record const& r) const { return found_.contains(key_of(r.point)); }

private:
    std::map<std::pair<std::string, double>, std::vector<sonde::record const*>> records_; // by name and size
    std::set<std::string> found_;
};

/// Iterations of a record that take as long as its row says of one message, one window or one hop.
double iterations_of(log_row const& row, sonde::record const& r) {
    return row.rated ? static_cast<double>(r.total.messages) / *row.rated : r.total.hops;
}

/// Mean that the program prints: over ranks by the OSU programs, of the slowest rank by those of IMB.
void keep_printed_mean(sonde::record& r) {
    r.series = {r.point.name.starts_with("osu_") ? r.over_ranks.mean : r.over_ranks.max};
    r.overflow.clear();
}

} // namespace

void text_as_records(log_contents const& log, launch_set& text, launch_set& records) {
    record_finder finder{records.runs};
    text.runs = launches_of(log, [&](log_table const& t, log_row const& row) {
        auto made = record_of(t, row);
        auto const* const known = finder.record_of(t, row);
        if (known == nullptr) return made;
        auto const iterations = iterations_of(row, *known);
        made.point = known->point;
        made.series = {made.series.front() * iterations};
        made.clock_properties.resolution *= iterations;
        return made;
    });
    std::size_t count = 0;
    for (auto& run : records.runs)
        for (auto& r : run.records)
            if (finder.was_found(r)) {
                keep_printed_mean(r);
                ++count;
            }
    if (count != 0)
        records.remarks.push_back(records.path + ": a text has means: the means of its samples are compared");
}

namespace {

bool has_finite_times(sonde::record const& r) {
    return !r.series.empty() && std::all_of(r.series.begin(), r.series.end(),
                                            [](sonde::seconds t) { return sonde::detail::is_finite(t.count()); });
}

std::string failure_remark(launch_set const& set, sonde::run_file const& run) {
    return set.path + ": launch " + std::to_string(run.launch->number) + " ended with " + run.launch->outcome +
           "; its " + count_text(run.records.size(), "record") + (run.records.size() == 1 ? " counts" : " count");
}

void require_times(launch_set const& set) {
    std::size_t records = 0;
    for (auto const& run : set.runs)
        for (auto const& r : run.records) {
            ++records;
            if (!has_finite_times(r))
                throw std::runtime_error{set.path + ": a record without times: " + name_of({r.point, 1, {}, {}})};
        }
    if (records == 0) throw std::runtime_error{set.path + ": holds no record"};
}

} // namespace

launch_set launch_set_of(log_contents const& log) {
    launch_set set{log.path, launches_of(log), log.remarks, !log.is_json};
    if (set.is_text)
        for (auto const& s : series_of({log}))
            if (s.disagrees)
                set.remarks.push_back(s.name() + ": a table of the same title and settings has other times; both count "
                                                 "as launches");
    require_times(set);
    return set;
}

std::array<launch_set, 2> read_launch_sets(std::string const& before, std::string const& after) {
    std::array logs{read_log(before), read_log(after)};
    tell_apart(logs);
    std::array sets{launch_set_of(logs[0]), launch_set_of(logs[1])};
    for (std::size_t text = 0; text != 2; ++text)
        if (sets[text].is_text && !sets[1 - text].is_text) text_as_records(logs[text], sets[text], sets[1 - text]);
    return sets;
}

std::vector<std::string> reading_remarks(launch_set const& set) {
    std::vector<std::string> lines = set.remarks;
    for (auto const& run : set.runs)
        if (run.launch && run.launch->outcome != "exit status 0") lines.push_back(failure_remark(set, run));
    return lines;
}

std::vector<std::string> remarks(launch_set const& set) {
    auto lines = reading_remarks(set);
    if (std::any_of(set.runs.begin(), set.runs.end(),
                    [](auto const& r) { return !r.environment && !r.records.empty(); }))
        lines.push_back(set.path + ": records without an environment: that it was the same cannot be checked");
    for (auto const& run : set.runs)
        if (auto const rank = unbound_rank(run)) {
            lines.push_back(set.path + ": " + unbound_warning(*rank));
            break;
        }
    if (set.runs.size() == 1)
        lines.push_back(set.path +
                        ": a single launch: its intervals are within this launch and say nothing of the next one");
    return lines;
}

namespace {

void add(sonde::record const& r, observations& to) {
    if (to.medians.empty()) to.first_interval = sonde::median_interval(r);
    to.medians.push_back(sonde::median(r));
    to.spreads.push_back((sonde::quantile(r, 0.75) - sonde::quantile(r, 0.25)) / 1.349);
    to.resolution = std::max(to.resolution, r.clock_properties.resolution / static_cast<double>(r.batch));
}

sonde::point without_repetitions(sonde::point at) {
    std::erase_if(at.parameters, [](auto const& p) { return p.name == "repetitions"; });
    return at;
}

class row_matcher {
public:
    void add_side(std::vector<sonde::run_file> const& runs, observations row::*side) {
        for (auto const& run : runs) {
            std::map<std::string, std::size_t> occurrences;
            for (auto const& r : run.records) {
                auto const key = key_of(r.point);
                add(r, row_of(key, ++occurrences[key], without_repetitions(r.point)).*side);
            }
        }
    }
    std::vector<row> rows;

private:
    row& row_of(std::string const& key, std::size_t occurrence, sonde::point const& at) {
        auto const [known, is_new] = indices_.try_emplace(key + '\n' + std::to_string(occurrence), rows.size());
        if (is_new) rows.push_back({at, occurrence, {}, {}});
        return rows[known->second];
    }

    std::map<std::string, std::size_t> indices_;
};

} // namespace

std::string name_of(row const& r) {
    auto name = r.at.name;
    for (auto const& p : r.at.parameters) name += ' ' + p.name + '=' + p.text;
    return r.occurrence == 1 ? name : name + " #" + std::to_string(r.occurrence);
}

std::vector<row> match(std::vector<sonde::run_file> const& before, std::vector<sonde::run_file> const& after) {
    row_matcher matcher;
    matcher.add_side(before, &row::before);
    matcher.add_side(after, &row::after);
    return std::move(matcher.rows);
}

namespace {

/// Root of the sum of squares of x - center, divided by `degrees` of freedom.
double root_mean_square(std::span<sonde::seconds const> x, sonde::seconds center, std::size_t degrees) {
    double sum = 0;
    for (auto const t : x) sum += (t - center).count() * (t - center).count();
    return std::sqrt(sum / static_cast<double>(degrees));
}

std::optional<double> standard_deviation(std::span<sonde::seconds const> x) {
    if (x.size() < 2) return std::nullopt;
    sonde::seconds sum{};
    for (auto const t : x) sum += t;
    return root_mean_square(x, sum / static_cast<double>(x.size()), x.size() - 1);
}

} // namespace

summary summarize(observations const& side) {
    std::span<sonde::seconds const> const medians{side.medians};
    summary s{medians.size(), sonde::median(medians), {}, 0, {}};
    s.interval = medians.size() == 1 ? side.first_interval : sonde::median_interval(medians);
    if (s.median <= sonde::seconds{}) return s; // relative spreads need a positive median
    s.within = root_mean_square(side.spreads, {}, side.spreads.size()) / s.median.count();
    if (auto const between = standard_deviation(medians)) s.between = *between / s.median.count();
    return s;
}

} // namespace tools
