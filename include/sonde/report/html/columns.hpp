// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/metrics.hpp>
#include <sonde/record.hpp>
#include <sonde/report/column.hpp>
#include <sonde/report/table.hpp>
#include <sonde/stop.hpp>
#include <sonde/time.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sonde {

namespace detail {

inline bool failed(record const& r) { return r.errors.value_or(0) != 0; }

/// Marked by a sign too: colours are not seen by all, nor printed.
inline std::optional<std::string> errors_in_words(record const& r) {
    if (!r.errors) return std::nullopt;
    return failed(r) ? "\u2717 " + std::to_string(*r.errors) : "0";
}

inline std::optional<std::string> interval_in_words(record const& r) {
    auto const i = median_interval(r);
    if (!i) return std::nullopt;
    return cell_text(i->low, 3) + " \u2013 " + cell_text(i->high, 3);
}

inline std::string stop_in_words(record const& r) {
    constexpr char const* words[] = {"-", "samples", "time", "precision", "noise floor", "own rule"};
    return words[static_cast<unsigned char>(r.stopped.reason)];
}

inline std::string flags_in_words(record const& r) {
    std::string words;
    auto const add = [&](bool is, char const* word) {
        if (is) words.append(words.empty() ? "" : "; ").append(word);
    };
    add(r.flags.timer_limited, "short beside the timer");
    add(r.flags.skew_dominated, "ranks began far apart");
    add(r.flags.clock_drift, "the global clock drifted");
    return words.empty() ? "-" : words;
}

/// As figures show it: where an iteration is there and back, half of its median.
inline std::optional<seconds> one_way(record const& r) {
    return r.total.legs == 1 ? std::nullopt : std::optional{latency(r)};
}

inline column on_the_right(column c) {
    c.left = false;
    return c;
}

} // namespace detail

/// What `html` shows of a record beside its parameters: as `default_columns`, and what is a code word there in words.
[[nodiscard]] inline std::vector<column> html_columns() {
    using detail::on_the_right;
    return {
        {"median (\u00b5s)", [](record const& r) { return typical(r); }, 3},
        on_the_right(column{"95 % interval (\u00b5s)", detail::interval_in_words}.where_given()),
        column{"median one way (\u00b5s)", detail::one_way, 3}.where_given(),
        {"mean (\u00b5s)", mean_of_slowest, 3},
        column{"P99 (\u00b5s)", [](record const& r) { return tail(r, 0.99); }, 3}.where_given(),
        column{"bandwidth (MB/s)", detail::megabytes_per_second}.where_given(),
        {"samples", [](record const& r) { return r.stopped.samples; }},
        column{"batch", detail::batch_of_several}.where_given(),
        on_the_right(column{"errors", detail::errors_in_words}.where_given()),
        {"stopped by", detail::stop_in_words},
        column{"remarks", detail::flags_in_words}.where_given(),
    };
}

} // namespace sonde
