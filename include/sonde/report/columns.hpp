// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/measure/comparison.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/probe/scope_record.hpp>
#include <sonde/report/text.hpp>
#include <sonde/stat/order_statistics.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// The columns of records and of scopes: CSV has them all, with all digits; OpenMetrics and tables have some of them.

namespace sonde::inline v0_1::detail {

/// A number with all its digits, a time in seconds; empty for an empty optional, and for a number that is not finite.
template <class T>
std::string exact_text(T const& value) {
    if constexpr (requires { value.has_value(); }) return value ? exact_text(*value) : std::string{};
    else if constexpr (std::same_as<T, seconds>) return exact_text(value.count());
    else if constexpr (std::floating_point<T>) return is_finite(value) ? shortest(value) : std::string{};
    else if constexpr (std::integral<T>) return std::to_string(value);
    else return value;
}

/// The text in a table: a time in microseconds; "-" for an empty optional, and for a number that is not finite.
std::string cell_text(confidence_interval i, int decimals);
template <class T>
std::string cell_text(T const& value, int decimals) {
    if constexpr (requires { value.has_value(); }) return value ? cell_text(*value, decimals) : "-";
    else if constexpr (std::integral<T>) return std::to_string(value);
    else if constexpr (std::floating_point<T>)
        return is_finite(static_cast<double>(value)) ? fixed(static_cast<double>(value), decimals) : "-";
    else return value;
}

/// The median time in microseconds; "-" without times.
inline std::string median_text(record const& r) {
    return cell_text(has_times(r) ? std::optional{median(r)} : std::nullopt, 3);
}

/// The name of an alternative; without a name "alternative 2", by its number from 0, the base.
inline std::string alternative_name(comparison const& found, std::size_t i) {
    auto const& name = found.records.at(i).point.name;
    return name.empty() ? "alternative " + std::to_string(i) : plain_text(name);
}

/// A time or a number; empty for an empty optional and for a text.
template <class T>
std::optional<double> number_of(T const& value) {
    if constexpr (requires { value.has_value(); }) return value ? number_of(*value) : std::nullopt;
    else if constexpr (std::same_as<T, seconds>) return value.count();
    else if constexpr (std::integral<T> || std::floating_point<T>) return static_cast<double>(value);
    else return std::nullopt;
}

/// The value of a record or a scope in a column.
struct column_field {
    char const* name;             // of the column in CSV; null: only tables have the column
    char const* title;            // of the column in tables; null: tables do not have the column
    std::string exact;            // with all digits, a time in seconds
    std::string cell;             // in tables
    std::optional<double> number; // of a number

    template <class T>
    column_field(char const* in_csv, T const& value, char const* in_tables = nullptr, int decimals = 0)
        : name{in_csv}, title{in_tables}, exact{exact_text(value)}, number{number_of(value)} {
        if (title != nullptr) cell = cell_text(value, decimals);
    }
};

/// The columns after a point's name and parameters. Times are of one iteration.
std::vector<column_field> fields_of(record const& r);

/// The columns of a scope. Times are of single passes, or totals.
std::vector<column_field> fields_of(scope_record const& r);

/// The rows of a table of scopes, the titles first.
std::vector<std::vector<std::string>> table_rows(std::vector<scope_record> const& found);

} // namespace sonde::detail

#if SONDE_DEFINITIONS

namespace sonde::inline v0_1::detail {

SONDE_INLINE std::string cell_text(confidence_interval i, int decimals) {
    return cell_text(i.low, decimals) + ".." + cell_text(i.high, decimals);
}

SONDE_INLINE std::vector<column_field> fields_of(record const& r) {
    auto const timed = [&r](auto value) { return has_times(r) ? std::optional{value} : std::nullopt; };
    auto const estimate = estimate_median(r);
    auto const interval = estimate.interval.value_or(confidence_interval{});
    auto const if_interval = [&](seconds end) { return estimate.interval ? std::optional{end} : std::nullopt; };
    auto const outliers = tukey_outliers(r);
    auto const global = r.global.value_or(global_times{});
    std::vector<column_field> all{
        {"ranks", r.ranks},
        {"initiators", r.initiators},
        {"total_bytes", r.total.bytes},
        {"total_messages", r.total.messages},
        {"hops", r.total.hops},
        {"bus_factor", r.total.bus_factor},
        {"batch", r.batch},
        {"samples", r.stop.samples},
        {"stopped_by", std::string{to_string(r.stop.reason)}},
        {"median_seconds", timed(median(r))},
        {"median_low_seconds", if_interval(interval.low)},
        {"median_high_seconds", if_interval(interval.high)},
        {"autocorrelation_time", timed(estimate.tau)},
        {"p99_seconds", percentile(r, 0.99)},
        {"max_seconds", timed(quantile(r, 1))},
        {"tukey_outliers", timed(outliers.below + outliers.above)},
        {"slowest_mean_seconds", timed(mean(r))},
        {"rank_min_seconds", timed(r.over_ranks.min)},
        {"rank_mean_seconds", timed(r.over_ranks.mean)},
        {"rank_max_seconds", timed(r.over_ranks.max)},
        {"first_seconds", r.first},
        {"clock_cost_seconds", r.clock_properties.cost},
        {"clock_resolution_seconds", r.clock_properties.resolution},
        {"clock_bias_seconds", r.clock_properties.bias},
    };
    for (auto const& flag : all_flags) all.emplace_back(flag.name, r.flags.*flag.member);
    auto const has_series = !global.series.empty();
    all.emplace_back("global_median_seconds",
                     has_series ? std::optional{median(as_span(global.series))} : std::nullopt);
    all.emplace_back("late_samples", r.global ? std::optional{global.late_samples} : std::nullopt);
    all.emplace_back("errors", r.errors);
    return all;
}

SONDE_INLINE std::vector<column_field> fields_of(scope_record const& r) {
    auto const some = [&r](auto value) { return r.ranks == 0 ? std::nullopt : std::optional{value}; };
    auto const percent = [&](std::optional<double> part, int decimals) {
        return part ? fixed(100 * *part, decimals) + " %" : "-";
    };
    auto const per_pass = r.bytes == 0 ? std::nullopt : some(r.bytes / static_cast<double>(r.times.count()));
    auto const speed = bandwidth(r);
    // Cells are in microseconds; the column `s per rank` is in seconds, so its cell has a millionth of the time.
    return {
        {"parent", r.parent},
        {"name", plain_text(r.name), "scope"},
        {"depth", r.depth},
        {"passes", r.times.count(), "passes"},
        {"ranks", r.ranks, "ranks"},
        {"median_seconds", median(r), "median us", 1},
        {"p99_seconds", percentile(r, 0.99), "p99 us", 1},
        {"max_seconds", some(r.times.max()), "max us", 1},
        {"total_min_seconds", some(r.totals.min)},
        {"total_mean_seconds", some(r.totals.mean)},
        {nullptr, some(r.totals.mean * 1e-6), "s per rank", 2},
        {"total_max_seconds", some(r.totals.max)},
        {"enclosing_seconds", r.enclosing},
        {"share", share(r)},
        {nullptr, percent(share(r), 1), "share"},
        {"slowest", some(r.slowest)},
        {"imbalance", imbalance(r), "max/mean", 2},
        {nullptr, slow_rank(r), "slowest"},
        {"bytes", r.bytes},
        {nullptr, per_pass, "mean bytes"},
        {"bytes_per_second", speed},
        {nullptr, speed ? std::optional{*speed / 1e6} : speed, "MB/s", 1},
        {"efficiency", efficiency(r)},
        {nullptr, percent(efficiency(r), 0), "efficiency"},
    };
}

SONDE_INLINE std::vector<std::vector<std::string>> table_rows(std::vector<scope_record> const& found) {
    std::vector<std::vector<std::string>> rows(found.size() + 1);
    for (auto const& field : fields_of(scope_record{}))
        if (field.title != nullptr) rows.front().emplace_back(field.title);
    for (std::size_t i = 0; i != found.size(); ++i)
        for (auto& field : fields_of(found[i]))
            if (field.title != nullptr) rows[i + 1].push_back(std::move(field.cell));
    return rows;
}

} // namespace sonde::detail

#endif
