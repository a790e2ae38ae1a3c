// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/json/record.hpp>
#include <sonde/json/values.hpp>
#include <sonde/probe/region_record.hpp>
#include <sonde/time.hpp>

#include <optional>

namespace sonde {

namespace detail {

template <class T>
json json_of(std::optional<T> const& value) {
    return value ? json(*value) : json{};
}

inline json seconds_of(std::optional<seconds> const& time) { return time ? json(time->count()) : json{}; }

} // namespace detail

/// The figures of a region, those it has too few passes for as null, and the record beside it, where there is one. A
/// list of regions is an array of these, "outer" a number in it.
inline void to_json(json& j, region_record const& r) {
    j = {{"type", "region"},
         {"name", r.name},
         {"outer", detail::json_of(r.outer)},
         {"passes", r.times.count()},
         {"ranks", r.ranks},
         {"median_seconds", detail::seconds_of(typical(r))},
         {"p99_seconds", detail::seconds_of(tail(r, 0.99))},
         {"max_seconds", r.times.longest().count()},
         {"totals_seconds", r.totals},
         {"slowest", r.slowest},
         {"imbalance", detail::json_of(imbalance(r))},
         {"bytes", r.bytes},
         {"bytes_per_second", detail::json_of(rate(r))},
         {"efficiency", detail::json_of(efficiency(r))},
         {"best", detail::json_of(r.best)}};
}

} // namespace sonde
