// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/metrics.hpp>
#include <sonde/record.hpp>
#include <sonde/report/estimator.hpp>
#include <sonde/report/figure.hpp>
#include <sonde/report/series_names.hpp>
#include <sonde/statistics.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
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

inline std::string with(std::string text, std::string const& more) {
    return text + (text.empty() || more.empty() ? "" : ", ") + more;
}

/// The estimator, and its band where any curve has one: of few samples there is none.
inline std::string shown(estimator const& e, std::vector<curve const*> const& curves) {
    auto const has_band = [](curve const* c) {
        return std::any_of(c->low.begin(), c->low.end(), [](double v) { return std::isfinite(v); });
    };
    return with(e.name, std::any_of(curves.begin(), curves.end(), has_band) ? e.band : "");
}

inline curve curve_of(series_of_sizes const& s, estimator const& e, drawn_value value) {
    curve next{.name = s.name};
    for (auto const* r : s.records) add_point(next, *r, e, value);
    return next;
}

/// The title names the one estimator that all curves are of; several name each its curves.
inline void name_estimators(figure& all, std::vector<estimator> const& estimators) {
    std::vector<curve const*> every;
    for (auto& c : all.curves) every.push_back(&c);
    if (estimators.size() == 1) all.title = with(std::move(all.title), shown(estimators.front(), every));
    for (std::size_t i = 0; i != all.curves.size(); ++i) {
        auto& c = all.curves[i];
        if (estimators.size() > 1) c.name = with(std::move(c.name), shown(estimators[i % estimators.size()], {&c}));
        else if (c.name.empty()) c.name = "measured";
    }
}

inline figure figure_of(std::vector<record> const& records, std::vector<estimator> const& estimators, std::string label,
                        drawn_value value) {
    auto const found = series_of(records);
    figure all{.title = found.common, .up = {std::move(label)}};
    for (auto const& s : found.series)
        for (auto const& e : estimators) all.curves.push_back(curve_of(s, e, value));
    name_estimators(all, estimators);
    return all;
}

inline bool single_messages(std::vector<record> const& records) {
    for (auto const& r : records)
        if (static_cast<double>(r.total.messages) > r.total.legs * r.initiators) return false;
    return true;
}

} // namespace detail

/// Latency over the parameter "bytes": a curve for each name and set of other parameters, and each estimator. What is
/// the same of all of them is the title. Of several messages in flight: the time of all.
[[nodiscard]] inline figure latency_figure(std::vector<record> const& records,
                                           std::vector<estimator> const& estimators = {median_estimator()}) {
    return detail::figure_of(records, estimators,
                             detail::single_messages(records) ? "latency (us)" : "one-way time (us)",
                             detail::drawn_latency);
}

/// Bandwidth of all initiators together over the parameter "bytes", as `latency_figure`; records without bytes are left
/// out.
[[nodiscard]] inline figure bandwidth_figure(std::vector<record> records,
                                             std::vector<estimator> const& estimators = {median_estimator()}) {
    std::erase_if(records, [](record const& r) { return r.total.bytes == 0; });
    return detail::figure_of(records, estimators, "bandwidth (MB/s)", detail::drawn_bandwidth);
}

} // namespace sonde
