// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/metrics.hpp>
#include <sonde/record.hpp>
#include <sonde/report/estimator.hpp>
#include <sonde/report/figure.hpp>
#include <sonde/report/series_names.hpp>
#include <sonde/statistics.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sonde {

namespace detail {

/// How a time of a record's iteration is drawn.
using drawn_value = double (*)(record const&, seconds);

inline double drawn_latency(record const& r, seconds t) { return 1e6 * latency(r, t).count(); }
inline double drawn_bandwidth(record const& r, seconds t) { return bandwidth(r, t) / 1e6; }

/// The record's point of a curve: what cannot be said is no number.
inline void add_point(curve& to, record const& r, estimator const& e, drawn_value value) {
    auto const t = e.time(r);
    to.x.push_back(bytes_of(r).value_or(NAN));
    to.y.push_back(t ? value(r, *t) : NAN);
    if (!e.between) return;
    auto const between = t ? e.between(r) : std::nullopt;
    auto const low = between ? value(r, between->low) : NAN;
    auto const high = between ? value(r, between->high) : NAN;
    to.low.push_back(std::fmin(low, high)); // a longer time is less bandwidth
    to.high.push_back(std::fmax(low, high));
}

/// The title names what all curves are of; several estimators name each its curves.
inline std::string with(std::string text, std::string const& more) { return text + (text.empty() ? "" : ", ") + more; }

inline std::string curve_name(std::string name, estimator const& e, bool several) {
    if (several) return with(std::move(name), e.name);
    return name.empty() ? "measured" : name;
}

inline figure figure_of(std::vector<record> const& records, std::vector<estimator> const& estimators, std::string label,
                        drawn_value value) {
    auto const found = series_of(records);
    auto const several = estimators.size() > 1;
    figure all{.title = several ? found.common : with(found.common, estimators.at(0).name), .up = {std::move(label)}};
    for (auto const& s : found.series)
        for (auto const& e : estimators) {
            curve next{.name = curve_name(s.name, e, several)};
            for (auto const* r : s.records) add_point(next, *r, e, value);
            all.curves.push_back(std::move(next));
        }
    return all;
}

inline bool single_messages(std::vector<record> const& records) {
    for (auto const& r : records)
        if (r.total.messages > r.total.legs * r.initiators) return false;
    return true;
}

} // namespace detail

/// Latency over the parameter "bytes": a curve for each name and set of other parameters, and each estimator. What is
/// the same of all of them is the title. Of several messages in flight: the time of all.
inline figure latency_figure(std::vector<record> const& records,
                             std::vector<estimator> const& estimators = {median_estimator()}) {
    return detail::figure_of(records, estimators,
                             detail::single_messages(records) ? "latency (us)" : "one-way time (us)",
                             detail::drawn_latency);
}

/// Bandwidth of all initiators together over the parameter "bytes", as `latency_figure`; records without bytes are left
/// out.
inline figure bandwidth_figure(std::vector<record> records,
                               std::vector<estimator> const& estimators = {median_estimator()}) {
    std::erase_if(records, [](record const& r) { return !(r.total.bytes > 0); });
    return detail::figure_of(records, estimators, "bandwidth (MB/s)", detail::drawn_bandwidth);
}

} // namespace sonde
