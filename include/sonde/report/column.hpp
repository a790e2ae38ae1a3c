// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/record.hpp>
#include <sonde/report/text.hpp>
#include <sonde/statistics.hpp>
#include <sonde/time.hpp>

#include <cmath>
#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace sonde {

namespace detail {

/// In microseconds, with more decimals where fewer than three digits of the time would be left.
inline std::string cell_text(seconds time, int decimals) {
    auto const us = 1e6 * time.count();
    if (std::isnan(us)) return "-";
    auto const needed = us == 0 || !std::isfinite(us) ? 0 : 2 - static_cast<int>(std::floor(std::log10(std::fabs(us))));
    return fixed(us, needed > decimals ? needed : decimals);
}
inline std::string cell_text(interval i, int decimals) {
    return cell_text(i.low, decimals) + ".." + cell_text(i.high, decimals);
}
inline std::string cell_text(std::string text, int) { return text; }

template <std::integral N>
std::string cell_text(N number, int) {
    return std::to_string(number);
}

template <std::floating_point N>
std::string cell_text(N number, int decimals) {
    if (std::isnan(number)) return "-";
    return fixed(static_cast<double>(number), decimals);
}

template <class T>
std::string cell_text(std::optional<T> const& value, int decimals) {
    return value ? cell_text(*value, decimals) : "-";
}

} // namespace detail

/// One column of a table: a title, a metric, and how many decimals its numbers have.
///
///     metric(record) -> double, an integer, seconds or interval (shown in microseconds), text (stands on the left),
///                       or an optional one of these; nothing, and no number, show as "-"
struct column {
    std::string title;
    std::function<std::string(record const&)> text;
    bool left;
    bool always = true;

    template <std::invocable<record const&> Metric>
    column(std::string heading, Metric metric, int decimals = 2)
        : title{std::move(heading)}, text{[metric = std::move(metric), decimals](record const& r) {
              return detail::cell_text(metric(r), decimals);
          }},
          left{std::convertible_to<std::invoke_result_t<Metric, record const&>, std::string>} {}

    /// The same column, left out until a record has something to show in it.
    [[nodiscard]] column where_given() && {
        always = false;
        return std::move(*this);
    }
};

} // namespace sonde
