// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/metrics.hpp>
#include <sonde/record.hpp>
#include <sonde/report/samples_page.hpp>
#include <sonde/time.hpp>

#include <functional>
#include <string>
#include <vector>

namespace sonde {

/// What is drawn of a record's samples: a metric, given the record and the time of one of them, and its name with
/// units.
struct sample_metric {
    std::string label = "time of an iteration (us)";
    std::function<double(record const&, seconds)> value = [](record const&, seconds t) { return 1e6 * t.count(); };
};

namespace detail {

inline std::vector<double> values_of(record const& r, sample_metric const& what) {
    std::vector<double> values;
    if (!has_times(r)) return values;
    for (auto const t : r.series) values.push_back(what.value(r, t));
    return values;
}

/// The page of a record's samples, its name and parameters the title; none where no rank counts.
inline std::string page_of(record const& r, sample_metric const& what) {
    if (!has_times(r)) return {};
    auto title = r.at.name;
    for (auto const& p : r.at.parameters) title += (title.empty() ? "" : "  ") + p.name + '=' + p.text;
    return samples_page(title, "sample", what.label, values_of(r, what));
}

} // namespace detail

} // namespace sonde
