// SPDX-License-Identifier: BSL-1.0
#include "tools/compare/rows.hpp"

#include "tools/records/environments.hpp"
#include "tools/records/series.hpp"
#include "tools/text.hpp"

#include <sonde/clock.hpp>
#include <sonde/measure/record.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <stdexcept>

namespace tools {

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

launch_set launch_set_of(log_contents const& log, std::string const& path) {
    launch_set set{path, launches_of(log), log.remarks, !log.is_json};
    if (set.is_text)
        for (auto const& s : series_of({log}))
            if (s.disagrees)
                set.remarks.push_back(s.name() + ": a table of the same title and settings has other times; both count "
                                                 "as launches");
    require_times(set);
    return set;
}

} // namespace

std::array<launch_set, 2> read_launch_sets(std::string const& before, std::string const& after) {
    std::array const logs{read_log(before), read_log(after)};
    std::array sets{launch_set_of(logs[0], before), launch_set_of(logs[1], after)};
    for (std::size_t text = 0; text != 2; ++text)
        if (sets[text].is_text && !sets[1 - text].is_text) text_as_records(logs[text], sets[text], sets[1 - text]);
    return sets;
}
std::vector<std::string> remarks(launch_set const& set) {
    std::vector<std::string> lines = set.remarks;
    for (auto const& run : set.runs)
        if (run.launch && run.launch->outcome != "exit status 0") lines.push_back(failure_remark(set, run));
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

/// The point without its number of repetitions. The IMB programs report this number as a parameter, but it depends on
/// the time and differs between launches.
sonde::point without_repetitions(sonde::point at) {
    std::erase_if(at.parameters, [](auto const& p) { return p.name == "repetitions"; });
    return at;
}

} // namespace

std::string key_of(sonde::point const& at) {
    std::vector<std::string> settings;
    for (auto const& p : without_repetitions(at).parameters) settings.push_back(p.name + '\0' + p.text);
    std::sort(settings.begin(), settings.end());
    auto key = at.name;
    for (auto const& s : settings) key += '\n' + s;
    return key;
}

namespace {

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
