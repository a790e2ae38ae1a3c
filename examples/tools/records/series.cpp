// SPDX-License-Identifier: BSL-1.0
#include "tools/records/series.hpp"

#include "tools/records/lines.hpp"
#include "tools/records/log.hpp"
#include "tools/text.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace tools {

std::string series::name() const {
    if (tables.empty()) return "round_trips";
    return tables.front().what.text() + " (" + tables.front().place() + ")";
}

std::string series::no_model() const { return tables.empty() ? "" : tables.front().no_model; }

namespace {

/// Times of a table by size: the first of repeated sizes.
class size_times {
public:
    explicit size_times(log_table const& t) : path_{t.path} {
        for (auto const& r : t.rows)
            if (!r.times.empty()) times_.try_emplace(r.bytes, slowest(r));
    }

    /// True if the times are those of a repetition.
    bool agree_with(log_table const& t) const {
        auto const ratios = ratios_to(t);
        auto const apart = [](double r) { return r > 1.5; };
        auto const number = std::count_if(ratios.begin(), ratios.end(), apart);
        return 2 * static_cast<std::size_t>(number) < ratios.size() || ratios.empty();
    }

    /// Remark if the table is of another file and its times may have another unit; otherwise empty.
    std::string other_unit(log_table const& t) const {
        auto ratios = ratios_to(t);
        if (t.path == path_ || ratios.empty()) return {};
        auto const middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
        std::nth_element(ratios.begin(), middle, ratios.end());
        if (*middle <= 10) return {};
        return path_ + " and " + t.path + ": times of the same sizes are " + sonde::detail::fixed(*middle, 0) +
               " times apart: mixed units?";
    }

private:
    /// Ratios of the longer to the shorter time, at common sizes.
    std::vector<double> ratios_to(log_table const& t) const {
        std::vector<double> ratios;
        for (auto const& r : t.rows) {
            auto const known = times_.find(r.bytes);
            if (known == times_.end() || r.times.empty()) continue;
            auto const ratio = slowest(r) / known->second;
            ratios.push_back(std::max(ratio, 1 / ratio));
        }
        return ratios;
    }

    std::string path_;
    std::map<double, sonde::seconds> times_;
};

/// Series that grow, with the times that further tables are compared with.
class series_builder {
public:
    void add(log_table t) {
        auto& variants = variants_[t.what.key_without_pairs()];
        for (std::size_t i = 0; i != variants.size() && i != most_compared; ++i) {
            auto const known = variants[i].reference.find(t.what.pairs);
            if (known == variants[i].reference.end()) variants[i].reference.emplace(t.what.pairs, size_times{t});
            else if (!t.no_model.empty()) return add_to(variants[i], std::move(t));
            else if (!known->second.agree_with(t)) continue;
            return add_to(variants[i], std::move(t));
        }
        auto& added = all.emplace_back(series{all.size() + 1, {}, {}, !variants.empty()});
        added.tables.push_back(std::move(t));
        auto const& first = added.tables.front();
        for (std::size_t i = 0; i != variants.size() && i != most_compared; ++i)
            compare_units(all[variants[i].index], variants[i].reference.at(first.what.pairs), added);
        variants.push_back({added.number - 1, {{first.what.pairs, size_times{first}}}});
    }

    std::vector<series> all;

private:
    static constexpr std::size_t most_compared = 64;

    struct variant {
        std::size_t index;                           // in `all`
        std::map<std::size_t, size_times> reference; // by the number of pairs
    };

    void add_to(variant const& v, log_table&& t) { all[v.index].tables.push_back(std::move(t)); }

    static void compare_units(series& known, size_times const& reference, series& added) {
        auto const text = reference.other_unit(added.tables.front());
        for (auto* s : {&known, &added})
            if (s->other_unit.empty()) s->other_unit = text;
    }

    std::map<std::string, std::vector<variant>> variants_; // by identity
};

std::size_t size_count(series const& s) {
    std::size_t n = 0;
    for (auto const& t : s.tables) n += t.rows.size();
    return n;
}

std::string pairs_text(series const& s) {
    std::set<std::size_t> numbers;
    for (auto const& t : s.tables)
        if (t.what.pairs != 0) numbers.insert(t.what.pairs);
    std::string text;
    for (auto const n : numbers) text += (text.empty() ? "" : ", ") + std::to_string(n);
    return text.empty() ? "" : text + (numbers == std::set<std::size_t>{1} ? " pair, " : " pairs, ");
}

} // namespace

std::vector<series> series_of(std::vector<log_contents> files) {
    series_builder builder;
    std::vector<sonde::record> round_trips;
    for (auto& f : files) {
        for (auto& t : f.tables) builder.add(std::move(t));
        round_trips.insert(round_trips.end(), f.round_trips.begin(), f.round_trips.end());
    }
    if (!round_trips.empty()) builder.all.push_back({builder.all.size() + 1, {}, round_trips});
    return std::move(builder.all);
}

std::vector<std::string> series_list(std::vector<series> const& all) {
    std::vector<cells> lines{{"table", "of", "name"}};
    for (auto const& s : all) {
        auto const sizes = s.tables.empty()
                               ? count_text(s.round_trips.size(), "record")
                               : pairs_text(s) + count_text(size_count(s), "row") +
                                     (s.tables.size() == 1 ? "" : " of " + count_text(s.tables.size(), "table"));
        auto const reason = s.no_model();
        lines.push_back(
            {std::to_string(s.number), sizes, s.name() + (reason.empty() ? "" : "; not fitted: " + reason)});
    }
    return aligned(lines, {.first = false, .last = true});
}

std::vector<std::string> other_units(std::vector<series> const& all) {
    std::vector<std::string> texts;
    for (auto const& s : all)
        if (!s.other_unit.empty() && std::find(texts.begin(), texts.end(), s.other_unit) == texts.end())
            texts.push_back(s.other_unit);
    return texts;
}

sonde::record record_of(log_table const& t, log_row const& row) {
    sonde::record r;
    r.point.name = t.what.title;
    r.point.parameters.emplace_back("bytes", static_cast<std::size_t>(row.bytes));
    for (auto const& [name, value] : t.what.settings) r.point.parameters.emplace_back(name, value);
    if (t.what.pairs > 1) r.point.parameters.emplace_back("pairs", t.what.pairs);
    if (!row.label.empty()) r.point.parameters.emplace_back("from_to", row.label);
    if (!t.what.rank.empty())
        r.point.parameters.emplace_back(whole_number_in(t.what.rank) ? "rank" : "host", t.what.rank);
    r.series = {slowest(row)};
    r.clock_properties.resolution = 2 * row.resolution; // one unit of the last digit: rounding errors of both values
    return r;
}

std::vector<sonde::run_file>
launches_of(log_contents const& log,
            std::function<sonde::record(log_table const&, log_row const&)> const& record_of_row) {
    if (log.is_json) return log.runs;
    std::vector<sonde::run_file> launches;
    std::map<std::pair<std::string, std::size_t>, std::size_t> repetitions; // of an identity and number of pairs
    for (auto const& t : log.tables) {
        auto const launch = repetitions[{t.what.key_without_pairs(), t.what.pairs}]++;
        if (launch == launches.size()) launches.emplace_back();
        for (auto const& row : t.rows) launches[launch].records.push_back(record_of_row(t, row));
    }
    return launches;
}

} // namespace tools
