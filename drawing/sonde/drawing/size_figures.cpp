// SPDX-License-Identifier: BSL-1.0
#include <sonde/drawing/size_figures.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace sonde::inline v0_1 {

estimator median_estimator() {
    return {"median", [](record const& r) { return has_times(r) ? std::optional{median(r)} : std::nullopt; },
            [](record const& r) { return median_interval(r); }, "95 % interval"};
}

estimator percentile_estimator(double q) {
    return {"P" + detail::shortest(100 * q), [q](record const& r) { return percentile(r, q); }};
}

} // namespace sonde

namespace sonde::inline v0_1::detail {

std::optional<double> bytes_of(record const& r) {
    for (auto const& p : r.point.parameters)
        if (p.name == "bytes") return p.number;
    return std::nullopt;
}

std::string title_of(point const& at) {
    auto title = at.name;
    for (auto const& p : at.parameters) title += (title.empty() ? "" : "  ") + p.name + '=' + p.text;
    return title;
}

std::vector<std::string> settings_of(point const& at) {
    std::vector<std::string> settings;
    if (!at.name.empty()) settings.push_back(at.name);
    for (auto const& p : at.parameters)
        if (p.name != "bytes" && p.name != "repetitions") settings.push_back(p.name + '=' + p.text);
    return settings;
}

bool contains(std::vector<std::string> const& all, std::string const& text) {
    return std::find(all.begin(), all.end(), text) != all.end();
}

series_set group_series(std::vector<record> const& records) {
    series_set found;
    auto& all = found.series;
    for (auto const& r : records) {
        auto key = settings_of(r.point);
        auto known = std::find_if(all.begin(), all.end(), [&](auto const& s) { return s.settings == key; });
        if (known == all.end()) known = all.insert(known, {std::move(key)});
        known->records.push_back(&r);
    }
    if (all.empty()) return found;
    auto common = all.front().settings;
    for (auto const& s : all) std::erase_if(common, [&](auto const& text) { return !contains(s.settings, text); });
    for (auto& s : all) {
        std::erase_if(s.settings, [&](auto const& text) { return contains(common, text); });
        std::stable_sort(s.records.begin(), s.records.end(),
                         [](auto const* a, auto const* b) { return bytes_of(*a) < bytes_of(*b); });
    }
    found.common = joined(common, "  ");
    return found;
}

std::vector<std::vector<record>> split_into_figures(std::vector<record> const& records) {
    constexpr std::size_t max_series = 10;
    auto const all = group_series(records).series;
    if (all.size() <= max_series) return {records};
    std::vector<std::vector<record>> parts;
    std::map<std::string, std::size_t> series, latest_part; // of each name
    for (auto const& s : all) {
        auto const& name = s.records.front()->point.name;
        if (series[name]++ % max_series == 0) {
            latest_part[name] = parts.size();
            parts.emplace_back();
        }
        for (auto const* r : s.records) parts[latest_part[name]].push_back(*r);
    }
    return parts;
}

void add_point(curve& to, record const& r, estimator const& e, curve_value value) {
    auto const bytes = bytes_of(r);
    auto const t = bytes ? e.time(r) : std::nullopt;
    to.x.push_back(bytes.value_or(0));
    to.y.push_back(t ? std::optional{value(r, *t)} : std::nullopt);
    if (!e.interval) return;
    auto& low = to.low.emplace_back();
    auto& high = to.high.emplace_back();
    if (auto const interval = t ? e.interval(r) : std::nullopt) {
        auto const ends = std::minmax({value(r, interval->low), value(r, interval->high)});
        low = ends.first; // a longer time is less bandwidth
        high = ends.second;
    }
}

bool has_error_bars(curve const& c) {
    return std::any_of(c.low.begin(), c.low.end(), [](auto const& v) { return v.has_value(); });
}

/// The text and the name of an estimator, and of its interval.
std::string with_estimator(std::string const& text, estimator const& e, bool interval) {
    return text + (text.empty() ? "" : ", ") + e.name +
           (interval && !e.interval_name.empty() ? ", " + e.interval_name : "");
}

std::string time_label(std::vector<record> const& records) {
    auto const has_one = [](record const& r) { return r.total.hops == 1; };
    return std::all_of(records.begin(), records.end(), has_one) ? "time of an iteration (us)" : "one-way time (us)";
}

/// A curve for each series and estimator. A single estimator is named in the title, several estimators are named in the
/// legend.
figure size_figure(std::vector<record> const& records, std::vector<estimator> const& estimators, std::string label,
                   curve_value value) {
    auto const found = group_series(records);
    figure f{.title = found.common, .y_axis = {std::move(label)}};
    for (auto const& s : found.series)
        for (auto const& e : estimators) {
            auto& c = f.curves.emplace_back(curve{.name = s.name()});
            for (auto const* r : s.records) add_point(c, *r, e, value);
            if (estimators.size() > 1) c.name = with_estimator(c.name, e, has_error_bars(c));
            else if (c.name.empty()) c.name = "measured";
        }
    auto const intervals = std::any_of(f.curves.begin(), f.curves.end(), has_error_bars);
    if (estimators.size() == 1) f.title = with_estimator(f.title, estimators.front(), intervals);
    return f;
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

figure latency_figure(std::vector<record> const& records, std::vector<estimator> const& estimators) {
    auto const latencies = std::all_of(records.begin(), records.end(), [](record const& r) {
        return static_cast<double>(r.total.messages) <= r.total.hops * r.initiators; // one message in flight
    });
    return detail::size_figure(records, estimators, latencies ? "latency (us)" : detail::time_label(records),
                               [](record const& r, seconds t) { return 1e6 * latency(r, t).count(); });
}

figure bandwidth_figure(std::vector<record> records, std::vector<estimator> const& estimators) {
    std::erase_if(records, [](record const& r) { return r.total.bytes == 0; });
    return detail::size_figure(records, estimators, "bandwidth (MB/s)",
                               [](record const& r, seconds t) { return bandwidth(r, t) / 1e6; });
}

} // namespace sonde
