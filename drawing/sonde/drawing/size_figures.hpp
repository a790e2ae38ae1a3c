// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/drawing/figure.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/report/text.hpp>
#include <sonde/stat/order_statistics.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sonde::inline v0_1 {

/// An estimator of the time of one iteration, with the confidence interval that a figure draws as a band. Both are
/// empty for a record with too few samples.
struct estimator {
    std::string name;                                                            // in the legend
    std::function<std::optional<seconds>(record const&)> time;                   // empty for too few samples
    std::function<std::optional<confidence_interval>(record const&)> interval{}; // none: no band
    std::string interval_name{};                                                 // in the legend
};

/// The median with its 95 % confidence interval.
[[nodiscard]] estimator median_estimator();

/// The q-quantile, without an interval. Its name is "P99" for q = 0.99.
[[nodiscard]] estimator percentile_estimator(double q);

namespace detail {

/// The value of the parameter "bytes".
std::optional<double> bytes_of(record const& r);

/// Records that differ only in their bytes, in ascending order of bytes.
struct size_series {
    std::vector<std::string> settings; // the settings that not all series have
    std::vector<record const*> records{};

    std::string name() const { return joined(settings, "  "); }
};

struct series_set {
    std::string common{}; // the settings that all series have: "osu_bw  window=64"
    std::vector<size_series> series{};
};

/// Name and parameters of a point as the title of a figure: "ping_pong  bytes=8".
std::string title_of(point const& at);

/// Name and parameters of a point without the bytes, and without the repetitions, which may depend on the bytes.
std::vector<std::string> settings_of(point const& at);

bool contains(std::vector<std::string> const& all, std::string const& text);

/// The records as series, in the order of their first records. The result refers to `records`.
series_set group_series(std::vector<record> const& records);

/// The label of times that are divided by the hops of their records: "one-way time (us)", or "time of an iteration
/// (us)" if no record has several hops.
std::string time_label(std::vector<record> const& records);

/// The records of each figure. A figure has at most ten series, as many as a reader can distinguish. More series are
/// divided by name, and the series of one name into tens.
std::vector<std::vector<record>> split_into_figures(std::vector<record> const& records);

/// The y value of a curve for the time of one iteration.
using curve_value = double (*)(record const&, seconds);

/// Append the record's point. Its y is empty if the record has no bytes or the estimator has no value.
void add_point(curve& to, record const& r, estimator const& e, curve_value value);

} // namespace detail

/// Latency over the parameter "bytes": a curve for each estimator and each set of name and other parameters. Settings
/// that all records have form the title. With several messages in flight, the figure shows the time of all messages.
[[nodiscard]] figure latency_figure(std::vector<record> const& records,
                                    std::vector<estimator> const& estimators = {median_estimator()});

/// Bandwidth of all initiators together over the parameter "bytes", drawn like `latency_figure`. Records without bytes
/// are left out.
[[nodiscard]] figure bandwidth_figure(std::vector<record> records,
                                      std::vector<estimator> const& estimators = {median_estimator()});

} // namespace sonde
