// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/json/histogram.hpp>
#include <sonde/json/values.hpp>
#include <sonde/metrics.hpp>
#include <sonde/record.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sonde {

namespace detail {

inline stop_reason stop_reason_in(json const& j) {
    auto const text = j.get<std::string>();
    auto why = stop_reason::none;
    while (why != stop_reason::other && text != name(why))
        why = static_cast<stop_reason>(static_cast<unsigned char>(why) + 1);
    return why;
}

inline point point_in(json const& j) {
    point at{j.at("name").get<std::string>(), {}};
    for (auto const& [name, value] : j.at("parameters").items()) at.parameters.push_back(parameter_in(name, value));
    return at;
}

inline json json_of(point const& at) {
    auto parameters = json::object();
    for (auto const& p : at.parameters) parameters[p.name] = json_of(p);
    return parameters;
}

// A record without initiators has no times: they are written as null.

inline constexpr spread no_spread{no_time, no_time, no_time};

inline json times_of(record const& r, std::vector<seconds> const& times) {
    return json_of(has_times(r) ? times : std::vector<seconds>(times.size(), no_time));
}

} // namespace detail

inline void to_json(json& j, traffic const& t) {
    j = {{"bytes", static_cast<double>(t.bytes)},
         {"messages", static_cast<double>(t.messages)},
         {"legs", t.legs},
         {"bus", t.bus}};
}
inline void to_json(json& j, stopped const& s) { j = {{"reason", name(s.reason)}, {"samples", s.samples}}; }
inline void to_json(json& j, flags const& f) {
    j = {{"timer_limited", f.timer_limited}, {"skew_dominated", f.skew_dominated}, {"clock_drift", f.clock_drift}};
}
inline void to_json(json& j, global_times const& g) {
    j = {{"series_seconds", detail::json_of(g.series)},
         {"entry_skews_seconds", detail::json_of(g.entry_skews)},
         {"exit_skews_seconds", detail::json_of(g.exit_skews)},
         {"redone", g.redone},
         {"bound_seconds", g.bound.count()},
         {"drift_seconds", g.drift.count()}};
}
inline void to_json(json& j, spread const& s) {
    j = {{"min", s.min.count()}, {"mean", s.mean.count()}, {"max", s.max.count()}};
}
inline void to_json(json& j, timer const& t) {
    j = {{"cost", t.cost.count()}, {"quantum", t.quantum.count()}, {"bias", t.bias.count()}};
}
inline void to_json(json& j, record const& r) {
    j = {{"type", "record"},
         {"name", r.at.name},
         {"parameters", detail::json_of(r.at)},
         {"total", r.total},
         {"ranks", r.ranks},
         {"initiators", r.initiators},
         {"batch", r.batch},
         {"over_ranks_seconds", detail::has_times(r) ? r.over_ranks : detail::no_spread},
         {"first_seconds", detail::has_times(r) ? r.first.count() : detail::no_time.count()},
         {"timer_seconds", r.timer},
         {"stopped", r.stopped},
         {"flags", r.flags},
         {"errors", r.errors ? json(*r.errors) : json{}},
         {"slowest", r.slowest},
         {"series_seconds", detail::times_of(r, r.series)}};
    if (!r.rest.empty()) j["rest"] = r.rest.front();
    if (!r.sample_means.empty()) j["sample_means_seconds"] = detail::times_of(r, r.sample_means);
    if (r.global) j["global"] = *r.global;
    if (!r.rank_means.empty()) j["rank_means_seconds"] = detail::json_of(r.rank_means);
}

inline void from_json(json const& j, traffic& t) {
    t = {detail::count_in(j.at("bytes")), detail::count_in(j.at("messages")), j.at("legs").get<double>(),
         j.at("bus").get<double>()};
}
inline void from_json(json const& j, stopped& s) {
    s = {detail::stop_reason_in(j.at("reason")), j.at("samples").get<std::size_t>()};
}
inline void from_json(json const& j, flags& f) {
    f = {j.at("timer_limited").get<bool>(), j.at("skew_dominated").get<bool>(), j.at("clock_drift").get<bool>()};
}
inline void from_json(json const& j, global_times& g) {
    g = {detail::series_in(j.at("series_seconds")),     detail::series_in(j.at("entry_skews_seconds")),
         detail::series_in(j.at("exit_skews_seconds")), j.at("redone").get<std::size_t>(),
         detail::seconds_in(j.at("bound_seconds")),     detail::seconds_in(j.at("drift_seconds"))};
}
inline void from_json(json const& j, spread& s) {
    s = {detail::seconds_in(j.at("min")), detail::seconds_in(j.at("mean")), detail::seconds_in(j.at("max"))};
}
inline void from_json(json const& j, timer& t) {
    t = {detail::seconds_in(j.at("cost")), detail::seconds_in(j.at("quantum")), detail::seconds_in(j.at("bias"))};
}
inline void from_json(json const& j, record& r) {
    r.at = detail::point_in(j);
    j.at("total").get_to(r.total);
    j.at("ranks").get_to(r.ranks);
    j.at("initiators").get_to(r.initiators);
    j.at("batch").get_to(r.batch);
    j.at("over_ranks_seconds").get_to(r.over_ranks);
    r.first = detail::seconds_in(j.at("first_seconds"));
    j.at("timer_seconds").get_to(r.timer);
    j.at("stopped").get_to(r.stopped);
    j.at("flags").get_to(r.flags);
    r.errors = j.at("errors").is_null() ? std::nullopt : std::optional{j.at("errors").get<std::size_t>()};
    r.series = detail::series_in(j.at("series_seconds"));
    j.at("slowest").get_to(r.slowest);
    if (j.contains("rest")) r.rest = {j["rest"].get<histogram>()};
    if (j.contains("global")) r.global = j["global"].get<global_times>();
    r.sample_means =
        j.contains("sample_means_seconds") ? detail::series_in(j["sample_means_seconds"]) : std::vector<seconds>{};
    r.rank_means =
        j.contains("rank_means_seconds") ? detail::series_in(j["rank_means_seconds"]) : std::vector<seconds>{};
}

} // namespace sonde
