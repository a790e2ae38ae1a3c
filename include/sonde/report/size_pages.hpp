// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/metrics.hpp>
#include <sonde/record.hpp>
#include <sonde/report/estimator.hpp>
#include <sonde/report/figure_page.hpp>
#include <sonde/report/sample_metric.hpp>
#include <sonde/report/series_names.hpp>
#include <sonde/report/size_figures.hpp>
#include <sonde/report/tics.hpp>
#include <sonde/report/violin_page.hpp>
#include <sonde/time.hpp>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sonde {

/// How records are drawn together: what their curves show, and what their samples.
struct size_drawing {
    std::vector<estimator> estimators{median_estimator()};
    sample_metric samples{"one-way time (us)", [](record const& r, seconds t) { return 1e6 * latency(r, t).count(); }};
};

namespace detail {

using pages = std::vector<std::string>;

inline constexpr std::size_t most_curves = 10; // that can be told apart; more are parted

/// What is drawn of some records: figures, and pages of all samples of each series.
struct size_pages {
    pages figures;
    pages samples{};
};

inline void add_curves(pages& to, std::vector<record> const& records, size_drawing const& how) {
    to.push_back(figure_page(latency_figure(records, how.estimators)));
    if (std::any_of(records.begin(), records.end(), [](record const& r) { return r.total.bytes > 0; }))
        to.push_back(figure_page(bandwidth_figure(records, how.estimators)));
}

/// Records that share figures: of one name, with no more than `most_curves` sets of other settings.
struct drawn_together {
    std::vector<std::vector<std::string>> settings;
    std::vector<record> records;

    bool takes(record const& r) const {
        auto const known = std::find(settings.begin(), settings.end(), setting_words(r.at)) != settings.end();
        return records.front().at.name == r.at.name && (known || settings.size() < most_curves);
    }
    void add(record const& r) {
        auto words = setting_words(r.at);
        if (std::find(settings.begin(), settings.end(), words) == settings.end()) settings.push_back(std::move(words));
        records.push_back(r);
    }
};

/// In the order they came.
inline std::vector<drawn_together> parted(std::vector<record> const& records) {
    std::vector<drawn_together> groups;
    for (auto const& r : records) {
        auto const at = std::find_if(groups.begin(), groups.end(), [&](auto const& g) { return g.takes(r); });
        (at == groups.end() ? groups.emplace_back() : *at).add(r);
    }
    return groups;
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
    std::set<double> sizes;
    for (auto const& r : records) sizes.insert(bytes_of(r).value_or(0));
    if (sizes.size() < 2) return {pages_of_one_size(records, how.samples)};
    auto const found = series_of(records);
    size_pages all{{}, violins_over_sizes(found, how.samples)};
    if (found.series.size() <= most_curves) add_curves(all.figures, records, how);
    else for (auto const& group : parted(records)) add_curves(all.figures, group.records, how);
    return all;
}

} // namespace detail

} // namespace sonde
