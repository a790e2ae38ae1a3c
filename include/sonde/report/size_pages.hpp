// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/metrics.hpp>
#include <sonde/record.hpp>
#include <sonde/report/estimator.hpp>
#include <sonde/report/figure_page.hpp>
#include <sonde/report/parted.hpp>
#include <sonde/report/sample_metric.hpp>
#include <sonde/report/series_names.hpp>
#include <sonde/report/size_figures.hpp>
#include <sonde/report/tics.hpp>
#include <sonde/report/violin_page.hpp>
#include <sonde/time.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace sonde {

/// How records are drawn together: what their curves show, and what their samples.
struct size_drawing {
    std::vector<estimator> estimators{median_estimator()};
    sample_metric samples{"one-way time (us)", [](record const& r, seconds t) { return 1e6 * latency(r, t).count(); }};
};

namespace detail {

using pages = std::vector<std::string>;

/// What is drawn of some records: figures, and pages of all samples of each series.
struct size_pages {
    pages figures;
    pages samples{};
};

inline bool any_has_times(std::vector<record> const& records) {
    return std::any_of(records.begin(), records.end(), [](record const& r) { return has_times(r); });
}

inline void add_curves(pages& to, std::vector<record> const& records, size_drawing const& how) {
    if (!any_has_times(records)) return;
    to.push_back(figure_page(latency_figure(records, how.estimators)));
    if (std::any_of(records.begin(), records.end(), [](record const& r) { return r.total.bytes > 0; }))
        to.push_back(figure_page(bandwidth_figure(records, how.estimators)));
}

inline void add_violins(pages& to, std::string const& title, std::string const& across, std::string const& up,
                        std::vector<violin> const& all) {
    auto const drawable = [](violin const& v) { return !placed_values(v.values).empty(); };
    if (std::any_of(all.begin(), all.end(), drawable)) to.push_back(violin_page(title, across, up, all));
}

inline pages violins_over_sizes(all_series const& found, sample_metric const& what) {
    pages all;
    for (auto const& s : found.series) {
        std::vector<violin> violins;
        for (auto const* r : s.records)
            violins.push_back({binary_label(bytes_of(*r).value_or(0)), values_of(*r, what)});
        add_violins(all, joined({found.common, s.name}), "message size (bytes)", what.label, violins);
    }
    return all;
}

/// Of one size there is no curve: its samples, of several records beside one another.
inline pages pages_of_one_size(std::vector<record> const& records, sample_metric const& what) {
    if (records.size() == 1) return {page_of(records.front(), what)};
    auto const found = series_of(records);
    std::vector<violin> violins;
    for (auto const& s : found.series)
        for (auto const* r : s.records) violins.push_back({s.name, values_of(*r, what)});
    pages all;
    add_violins(all, found.common, "", what.label, violins);
    return all;
}

inline size_pages pages_of(std::vector<record> const& records, size_drawing const& how) {
    if (!any_has_times(records)) return {};
    std::set<double> sizes;
    for (auto const& r : records) sizes.insert(bytes_of(r).value_or(0));
    if (sizes.size() < 2) return {pages_of_one_size(records, how.samples)};
    size_pages all{{}, violins_over_sizes(series_of(records), how.samples)};
    for (auto const& part : parted(records)) add_curves(all.figures, part, how);
    return all;
}

} // namespace detail

} // namespace sonde
