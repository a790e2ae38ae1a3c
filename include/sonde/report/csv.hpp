// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/metrics.hpp>
#include <sonde/record.hpp>
#include <sonde/report/file.hpp>
#include <sonde/report/text.hpp>

#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sonde {

namespace detail {

/// A field as RFC 4180 has it: in quotes, and quotes doubled, where a comma, a quote or an end of line is in it.
inline std::string csv_field(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string{text};
    std::string quoted = "\"";
    for (char const c : text) quoted += c == '"' ? std::string{"\"\""} : std::string{c};
    return quoted + '"';
}

struct csv_column {
    char const* title;
    std::string (*text)(record const&);
};

inline std::string csv_number(double number) { return std::isnan(number) ? std::string{} : shortest(number); }
inline std::string csv_time(std::optional<seconds> time) { return time ? csv_number(time->count()) : std::string{}; }

/// A time that is 0 where no rank counts.
inline std::string csv_time_of_ranks(record const& r, seconds time) {
    return has_times(r) ? csv_time(time) : std::string{};
}

template <bool High>
std::string csv_bound(record const& r) {
    auto const i = median_interval(r);
    return i ? csv_time(High ? i->high : i->low) : std::string{};
}

inline std::string csv_global_median(record const& r) {
    return r.global ? csv_time(median(from(r.global->series))) : std::string{};
}

inline std::string csv_outside_fences(record const& r) {
    if (!has_times(r)) return {};
    auto const found = outside_fences(r);
    return std::to_string(found.below + found.above);
}

/// What follows a point's name and parameters. Times are in seconds, of an iteration; a field without value is empty.
inline constexpr csv_column csv_columns[] = {
    {"ranks", [](record const& r) { return std::to_string(r.ranks); }},
    {"initiators", [](record const& r) { return std::to_string(r.initiators); }},
    {"total_bytes", [](record const& r) { return std::to_string(r.total.bytes); }},
    {"total_messages", [](record const& r) { return std::to_string(r.total.messages); }},
    {"legs", [](record const& r) { return shortest(r.total.legs); }},
    {"bus", [](record const& r) { return shortest(r.total.bus); }},
    {"batch", [](record const& r) { return std::to_string(r.batch); }},
    {"samples", [](record const& r) { return std::to_string(r.stopped.samples); }},
    {"stopped_by", [](record const& r) { return std::string{name(r.stopped.reason)}; }},
    {"median_seconds", [](record const& r) { return csv_time(typical(r)); }},
    {"median_low_seconds", csv_bound<false>},
    {"median_high_seconds", csv_bound<true>},
    {"correlation_time", [](record const& r) { return csv_number(estimate_median(r).tau); }},
    {"p99_seconds", [](record const& r) { return csv_time(tail(r, 0.99)); }},
    {"longest_seconds", [](record const& r) { return csv_time(quantile(r, 1)); }},
    {"outside_fences", csv_outside_fences},
    {"slowest_mean_seconds", [](record const& r) { return csv_time(mean_of_slowest(r)); }},
    {"rank_min_seconds", [](record const& r) { return csv_time_of_ranks(r, r.over_ranks.min); }},
    {"rank_mean_seconds", [](record const& r) { return csv_time_of_ranks(r, r.over_ranks.mean); }},
    {"rank_max_seconds", [](record const& r) { return csv_time_of_ranks(r, r.over_ranks.max); }},
    {"first_seconds", [](record const& r) { return csv_time_of_ranks(r, r.first); }},
    {"timer_cost_seconds", [](record const& r) { return csv_time(r.timer.cost); }},
    {"timer_quantum_seconds", [](record const& r) { return csv_time(r.timer.quantum); }},
    {"timer_bias_seconds", [](record const& r) { return csv_time(r.timer.bias); }},
    {"timer_limited", [](record const& r) { return std::to_string(r.flags.timer_limited); }},
    {"skew_dominated", [](record const& r) { return std::to_string(r.flags.skew_dominated); }},
    {"clock_drift", [](record const& r) { return std::to_string(r.flags.clock_drift); }},
    {"global_median_seconds", csv_global_median},
    {"redone", [](record const& r) { return r.global ? std::to_string(r.global->redone) : std::string{}; }},
    {"errors", [](record const& r) { return r.errors ? std::to_string(*r.errors) : std::string{}; }},
};

} // namespace detail

/// Records as comma-separated values: a header, then a line each, written as it comes.
///
/// name, a column for each parameter, then `detail::csv_columns`; every number reads back as the same. Quoting is that
/// of RFC 4180, lines end in a line feed. The environment has no place in this form; JSON Lines carry it, and the
/// series. Throws std::invalid_argument for a record whose parameters have other names than the first one's.
class csv {
public:
    explicit csv(output_file out) : out_{std::move(out)} {}

    void operator()(record const& r) {
        auto const given = names_of(r);
        if (!names_) write_header(given);
        else if (*names_ != given) throw std::invalid_argument{complaint(r, given)};
        auto line = detail::csv_field(r.at.name);
        for (auto const& p : r.at.parameters) line += ',' + detail::csv_field(p.text);
        for (auto const& c : detail::csv_columns) line += ',' + detail::csv_field(c.text(r));
        out_.line(std::move(line));
    }

private:
    using names = std::vector<std::string>;

    static names names_of(record const& r) {
        names found;
        for (auto const& p : r.at.parameters) found.push_back(p.name);
        return found;
    }

    void write_header(names const& parameters) {
        std::string line = "name";
        for (auto const& p : parameters) line += ',' + detail::csv_field(p);
        for (auto const& c : detail::csv_columns) line += std::string{','} + c.title;
        out_.line(std::move(line));
        names_ = parameters;
    }

    std::string complaint(record const& r, names const& now) const {
        return "sonde::csv: '" + r.at.name + "' has the parameters " + listed(now) +
               ", but the header of the file has " + listed(*names_) + "; write it to a file of its own";
    }
    static std::string listed(names const& all) {
        std::string list;
        for (auto const& n : all) list += (list.empty() ? "" : ", ") + n;
        return '(' + list + ')';
    }

    output_file out_;
    std::optional<names> names_;
};

} // namespace sonde
