// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/comparison.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/pattern.hpp>
#include <sonde/stat/autocorrelation.hpp>
#include <sonde/stat/order_statistics.hpp>
#include <sonde/stop.hpp>

#include <concepts>
#include <iosfwd>
#include <string>
#include <vector>

// Results as one line of text, for messages and logs: `to_string(r)`, `std::cout << r`. Times are in microseconds and
// rates in MB/s, with the digits of `table` and `comparison_table`. <sonde/report/formatter.hpp> has std::formatter.

namespace sonde::inline v0_1 {

/// "17.045..18.117 us".
[[nodiscard]] std::string to_string(confidence_interval i);

/// "1.100..1.140".
[[nodiscard]] std::string to_string(speedup_range s);

/// "17.602 us (17.045..18.117 us, tau 21.4)"; without an interval "17.602 us (tau 21.4)".
[[nodiscard]] std::string to_string(median_estimate const& m);

/// "8192 bytes, 2 messages"; hops, bus factor and shared_by follow if they are not 1.
[[nodiscard]] std::string to_string(traffic const& moved);

/// "ring (bytes 8192, link ssend)": the name and the parameters, as valid UTF-8 without control characters.
[[nodiscard]] std::string to_string(point const& p);

/// The columns of `table` that have a value: "ring (bytes 8192): median 17.602 us (17.045..18.117 us, tau 21.4),
/// p99 79.057 us, slowest mean 35.750 us, 1861.66 MB/s, 1000 samples, stopped by samples". Batch, errors and flags
/// follow if there are any. A record without times (`has_times`) says "no times".
[[nodiscard]] std::string to_string(record const& r);

/// Each alternative, its median time, its speed-up over the first one with its interval, and the outcome by the default
/// criterion: "blocking 20.000 us (base); persistent 10.000 us, speed-up 2.000 (1.950..2.050), faster". With an
/// application, what each wins of its loop follows. Throws what `speedup` throws.
[[nodiscard]] std::string to_string(comparison const& found);

/// A sentence for each straggler of a record, on rank 0: "Rank 3 finished last in 290 of 300 samples, at least 12.0 us
/// (11 %) after the median rank." It says what was seen and nothing about a cause, because the last to finish may have
/// waited for another rank (`record`). Empty without stragglers, and on the other ranks.
[[nodiscard]] std::vector<std::string> straggler_texts(record const& r);

namespace detail {

/// True for the types that have a `sonde::to_string`.
template <class T>
concept HasText =
    std::same_as<T, confidence_interval> || std::same_as<T, speedup_range> || std::same_as<T, median_estimate> ||
    std::same_as<T, traffic> || std::same_as<T, point> || std::same_as<T, record> || std::same_as<T, comparison> ||
    std::same_as<T, flags> || std::same_as<T, stop_reason> || std::same_as<T, outcome>;

} // namespace detail

/// Writes `to_string(value)`. The caller includes <ostream>, or a header with a stream.
template <class Traits, detail::HasText T>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, T const& value) {
    return out << to_string(value);
}

} // namespace sonde

#if SONDE_DEFINITIONS
#include <sonde/report/table.hpp>
#include <sonde/report/text.hpp>

#include <cstddef>

namespace sonde::inline v0_1 {

SONDE_INLINE std::string to_string(confidence_interval i) { return detail::cell_text(i, 3) + " us"; }

SONDE_INLINE std::string to_string(speedup_range s) {
    return detail::fixed(s.low, 3) + ".." + detail::fixed(s.high, 3);
}

SONDE_INLINE std::string to_string(median_estimate const& m) {
    auto const tau = "tau " + detail::fixed(m.tau, 1);
    return detail::cell_text(m.value, 3) + " us (" + (m.interval ? to_string(*m.interval) + ", " + tau : tau) + ')';
}

SONDE_INLINE std::string to_string(traffic const& moved) {
    auto text = std::to_string(moved.bytes) + " bytes, " + std::to_string(moved.messages) + " messages";
    if (moved.hops != 1) text += ", " + detail::shortest(moved.hops) + " hops";
    if (moved.bus_factor != 1) text += ", bus factor " + detail::shortest(moved.bus_factor);
    if (moved.shared_by != 1) text += ", shared by " + std::to_string(moved.shared_by);
    return text;
}

SONDE_INLINE std::string to_string(point const& p) {
    auto const text = detail::alternative_text(detail::plain_text(p.name), p.parameters);
    return p.name.empty() && !text.empty() ? text.substr(1) : text; // without the blank after the name
}

} // namespace sonde

namespace sonde::inline v0_1::detail {

/// The times and rates of a record that has any.
SONDE_INLINE std::string times_text(record const& r) {
    auto text = "median " + to_string(estimate_median(r));
    if (auto const p99 = percentile(r, 0.99)) text += ", p99 " + cell_text(*p99, 3) + " us";
    text += ", slowest mean " + cell_text(mean(r), 3) + " us";
    if (auto const speed = megabytes_per_second(r)) text += ", " + fixed(*speed, 2) + " MB/s";
    return text;
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

SONDE_INLINE std::string to_string(record const& r) {
    auto text = to_string(r.point);
    text += text.empty() ? "" : ": ";
    text += has_times(r) ? detail::times_text(r) : "no times";
    text += ", " + std::to_string(r.stop.samples) + " samples";
    if (auto const batch = detail::batch_if_several(r)) text += " of " + std::to_string(*batch) + " iterations";
    text += std::string{", stopped by "} + to_string(r.stop.reason);
    if (r.errors) text += ", " + std::to_string(*r.errors) + " errors";
    if (auto const warnings = to_string(r.flags); warnings != "-") text += ", flags " + warnings;
    return text;
}

SONDE_INLINE std::string to_string(comparison const& found) {
    std::string text;
    for (std::size_t i = 0; i != found.records.size(); ++i) {
        auto const name = to_string(found.records[i].point);
        text += (i == 0 ? "" : "; ") + (name.empty() ? "alternative " + std::to_string(i) : name) + ' ' +
                detail::median_text(found.records[i]) + " us";
        if (i == 0) {
            text += " (base)";
            continue;
        }
        text += ", speed-up " + detail::cell_text(detail::speedup_of_times(found, i), 3);
        if (auto const interval = speedup_interval(found, i)) text += " (" + to_string(*interval) + ')';
        text += ", " + outcome_text(found, i);
        if (found.application) text += ", " + (detail::gain_title + (' ' + detail::gain_text(found, i, {})));
    }
    if (found.application)
        text += std::string{"; "} + detail::gain_title + ": " + detail::gain_note(*found.application);
    return text;
}

SONDE_INLINE std::vector<std::string> straggler_texts(record const& r) {
    std::vector<std::string> texts;
    if (!r.slowest_counts) return texts;
    for (std::size_t i = 0; i != r.stragglers.size(); ++i) {
        auto const rank = static_cast<std::size_t>(r.stragglers[i]);
        auto const& lag = r.straggler_lags.at(i);
        texts.push_back("Rank " + std::to_string(rank) + " finished last in " +
                        std::to_string(r.slowest_counts->at(rank)) + " of " + std::to_string(r.stop.samples) +
                        " samples, at least " + detail::cell_text(lag.time, 1) + " us (" +
                        detail::percent_text(lag.share) + ") after the median rank.");
    }
    return texts;
}

} // namespace sonde

#endif
