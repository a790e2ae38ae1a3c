// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/json/members.hpp>
#include <sonde/lateness/lateness_record.hpp>
#include <sonde/measure/comparison.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/probe/scope_record.hpp>
#include <sonde/report/text.hpp>
#include <sonde/stat/histogram.hpp>

#include <cstddef>
#include <functional>
#include <istream>
#include <string>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

/// {"buckets": [[index, count], ..], "sum", "max", "min"}: the buckets that are not empty, and the exact values in
/// picoseconds.
void to_json(json& j, histogram const& h);
/// Reads what `to_json` writes.
void from_json(json const& j, histogram& h);

namespace detail {

/// The JSON in one line. Bytes that are not UTF-8 (in a command line) are replaced by U+FFFD, because JSON cannot
/// contain them.
std::string json_line(json const& j);

template <class T>
concept json_object = requires(json_io<json> io, T const& value) { json_members::of(io, value); };

template <json_object T>
void write_members(json& j, T const& value) {
    j = json::object();
    json_members::of(json_io<json>{j}, value);
}
template <json_object T>
void read_members(json const& j, T& value) {
    json_members::of(json_io<json const>{j}, value);
}

} // namespace detail

// The conversions that nlohmann/json looks up.

/// Writes all members of a value, as docs/json.md lists them.
template <detail::json_object T>
void to_json(json& j, T const& value) {
    detail::write_members(j, value);
}
/// Reads the members of a value.
template <detail::json_object T>
void from_json(json const& j, T& value) {
    detail::read_members(j, value);
}

/// The times of a record without initiators are written as null.
void to_json(json& j, record const& r);
/// Reads what `to_json` writes.
void from_json(json const& j, record& r);

/// A comparison: the criterion, and for each alternative its speed-up, the interval, the outcome and the record.
/// Reading takes the criterion and the records, from which the rest follows. Writing throws what `speedup` throws.
void to_json(json& j, reported_comparison const& c);
/// Reads the criterion and the records.
void from_json(json const& j, reported_comparison& c);

/// A scope of a probe with its metrics. A metric with too few passes is null, and so is a reference that was not
/// measured. "parent" is an index into the list of scopes, which is written as an array. Metrics are not read: they
/// follow from the members.
void to_json(json& j, scope_record const& r);
/// Reads the members; metrics follow from them.
void from_json(json const& j, scope_record& r);

/// Who made the ranks of a loop wait: shares, sentences and members. Reading takes the members, from which the rest
/// follows.
void to_json(json& j, lateness_record const& r);
/// Reads the members.
void from_json(json const& j, lateness_record& r);

namespace detail {

/// Add a line of a result file to the last run, or to a new run if the line begins a run. Throws std::invalid_argument
/// or an exception of nlohmann/json if it is no line of Sonde.
void add_line(json const& j, std::vector<run_file>& runs);

/// Call a function. Its exceptions become std::runtime_error, with the path and the line number.
void with_place(std::string const& path, std::size_t number, std::function<void()> const& use);

} // namespace detail

/// Call `use(json)` for every line. A last line without a line feed, which a killed job did not complete, is ignored.
/// `path` is the name of the stream in messages.
///
/// Throws std::runtime_error, with path and line number, if a line is not JSON or `use` throws.
void for_each_json_line(std::istream& in, std::string const& path, std::function<void(json const&)> const& use);

/// As above, for the lines of a file. Throws std::system_error if it cannot be read.
void for_each_json_line(std::string const& path, std::function<void(json const&)> const& use);

} // namespace sonde

#if SONDE_DEFINITIONS
#include <sonde/lateness/sentences.hpp>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <exception>
#include <fstream>
#include <optional>
#include <span>
#include <stdexcept>
#include <system_error>

namespace sonde::inline v0_1 {

namespace detail {

/// The buckets of a histogram that are not empty, and its exact values in ticks.
template <class Histogram>
json json_of_buckets(Histogram const& h) {
    std::vector<double> sums(Histogram::sums);
    std::array<double, 2> extremes{};
    h.write_sums(std::span<double, Histogram::sums>{sums});
    h.write_extremes(extremes);
    auto buckets = json::array();
    for (std::size_t i = 0; i != Histogram::buckets; ++i)
        if (sums[i] != 0) buckets.push_back({i, sums[i]});
    return {{"buckets", buckets}, {"sum", sums.back()}, {"max", extremes[0]}, {"min", -extremes[1]}};
}

template <class Histogram>
Histogram histogram_of_buckets(json const& j) {
    std::vector<double> sums(Histogram::sums);
    for (auto const& [bucket, count] : j.at("buckets").get<std::vector<std::pair<std::size_t, double>>>())
        sums.at(bucket) = count;
    sums.back() = j.at("sum").get<double>();
    std::array<double, 2> const extremes{j.at("max").get<double>(), -j.at("min").get<double>()};
    return Histogram::from_sums(std::span<double const, Histogram::sums>{sums}, extremes);
}

SONDE_INLINE json json_of(parameter const& p) {
    if (!p.number || !is_finite(*p.number)) return p.text;
    auto const parsed = json::parse(p.text, nullptr, false);
    return parsed.is_number_integer() && parsed.dump() == p.text ? parsed : json(*p.number);
}

SONDE_INLINE std::size_t count_from(json const& j) {
    auto const number = j.get<double>();
    if (!(number >= 0 && number < 0x1p64) || std::trunc(number) != number)
        throw std::invalid_argument{"not a number of bytes or messages: " + j.dump()};
    return static_cast<std::size_t>(number);
}

SONDE_INLINE void write_value(json& j, seconds time) { j = is_finite(time.count()) ? json(time.count()) : json(); }

SONDE_INLINE void write_value(json& j, stop_reason reason) { j = to_string(reason); }
SONDE_INLINE void write_value(json& j, scope_kind kind) { j = to_string(kind); }
SONDE_INLINE void write_value(json& j, step_effect_kind kind) { j = to_string(kind); }

SONDE_INLINE void write_value(json& j, std::vector<seconds> const& times) {
    j = json::array();
    for (auto const t : times) write_value(j.emplace_back(), t);
}

SONDE_INLINE void write_value(json& j, std::vector<parameter> const& parameters) {
    j = json::object();
    for (auto const& p : parameters) j[p.name] = json_of(p);
}

SONDE_INLINE void write_value(json& j, std::vector<histogram> const& one) {
    if (!one.empty()) to_json(j, one.front());
}

SONDE_INLINE void read_value(json const& j, seconds& time) { time = seconds{j.get<double>()}; }

SONDE_INLINE void read_value(json const& j, stop_reason& reason) {
    using enum stop_reason;
    reason = other;
    for (auto const known : {none, stop_reason::samples, time_budget, precision, noise_floor, unreachable})
        if (j.get<std::string>() == to_string(known)) reason = known;
}

SONDE_INLINE void read_value(json const& j, scope_kind& kind) {
    kind = scope_kind::part;
    for (auto const known : {scope_kind::work, scope_kind::exchange})
        if (j.get<std::string>() == to_string(known)) kind = known;
}

SONDE_INLINE void read_value(json const& j, step_effect_kind& kind) {
    using enum step_effect_kind;
    kind = period;
    for (auto const known : {burst, change_point, drift})
        if (j.get<std::string>() == to_string(known)) kind = known;
}

SONDE_INLINE void read_value(json const& j, std::vector<seconds>& times) {
    times.resize(j.size());
    for (std::size_t i = 0; i != times.size(); ++i) read_value(j[i], times[i]);
}

SONDE_INLINE void read_value(json const& j, std::vector<parameter>& parameters) {
    parameters.clear();
    for (auto const& [name, value] : j.items())
        if (value.is_number_unsigned()) parameters.emplace_back(name, value.get<std::uint64_t>());
        else if (value.is_number_integer()) parameters.emplace_back(name, value.get<std::int64_t>());
        else if (value.is_number()) parameters.emplace_back(name, value.get<double>());
        else parameters.emplace_back(name, value.get<std::string>());
}

SONDE_INLINE void read_value(json const& j, std::vector<histogram>& one) {
    one.resize(1);
    from_json(j, one.front());
}

/// Throw std::invalid_argument if an environment is of a later schema, whose lines would be misread.
SONDE_INLINE void require_known_schema(json const& j) {
    std::optional<int> version;
    if (j.contains("schema_version")) read_value(j.at("schema_version"), version);
    if (version > schema_version)
        throw std::invalid_argument{"lines of version " + std::to_string(*version) +
                                    " of the schema; this Sonde reads those up to version " +
                                    std::to_string(schema_version)};
}

SONDE_INLINE void add_line(json const& j, std::vector<run_file>& runs) {
    if (!j.is_object() || !j.contains("type")) throw std::invalid_argument{"has no type: no line of Sonde"};
    auto const type = j.at("type").get<std::string>();
    auto const used =
        !runs.empty() && (runs.back().environment || !runs.back().records.empty() || !runs.back().comparisons.empty() ||
                          !runs.back().scopes.empty() || !runs.back().lateness.empty());
    if (runs.empty() || type == "launch" || (type == "environment" && used)) runs.emplace_back();
    auto& run = runs.back();
    if (run.environment && j.contains("stolen_seconds")) read_value(j.at("stolen_seconds"), run.environment->stolen);
    if (type == "record") run.records.push_back(j.get<record>());
    else if (type == "comparison") run.comparisons.push_back(j.get<reported_comparison>());
    else if (type == "scopes") run.scopes.push_back(j.at("scopes").get<std::vector<scope_record>>());
    else if (type == "lateness") run.lateness.push_back(j.get<lateness_record>());
    else if (type == "environment") {
        require_known_schema(j);
        run.environment = j.get<environment>();
    } else if (type == "launch") run.launch = j.get<launch>();
    else
        throw std::invalid_argument{"the type '" + type +
                                    "' is none of record, comparison, scopes, lateness, environment, launch"};
}

SONDE_INLINE void with_place(std::string const& path, std::size_t number, std::function<void()> const& use) {
    try {
        use();
    } catch (std::exception const& e) {
        std::string message = e.what();
        // Without the prefix of nlohmann/json: "[json.exception.out_of_range.403] ".
        if (message.starts_with("[json.exception.")) message.erase(0, message.find("] ") + 2);
        throw std::runtime_error{path + ':' + std::to_string(number) + ": " + message};
    }
}

SONDE_INLINE std::string json_line(json const& j) { return j.dump(-1, ' ', false, json::error_handler_t::replace); }

/// Replace the times of a record by null when it is written, and null by 0 when it is read, because a record without
/// initiators has no times.
SONDE_INLINE void replace_times(json& j, json const& by) {
    for (auto const* const key : {"over_ranks_seconds", "series_seconds", "sample_means_seconds"})
        if (j.contains(key))
            for (auto& time : j[key]) time = by;
}

} // namespace detail

SONDE_INLINE void to_json(json& j, histogram const& h) { j = detail::json_of_buckets(h); }

SONDE_INLINE void from_json(json const& j, histogram& h) { h = detail::histogram_of_buckets<histogram>(j); }

SONDE_INLINE void to_json(json& j, record const& r) {
    detail::write_members(j, r);
    if (r.initiators == 0 && r.ranks != 0) detail::replace_times(j, json{});
}

SONDE_INLINE void from_json(json const& j, record& r) {
    auto const is_zero = [&](char const* key) { return j.contains(key) && j.at(key) == 0; };
    if (!is_zero("initiators") || is_zero("ranks")) return detail::read_members(j, r);
    auto of_zeros = j;
    detail::replace_times(of_zeros, 0.0);
    detail::read_members(of_zeros, r);
}

SONDE_INLINE void to_json(json& j, reported_comparison const& c) {
    auto const& [found, required] = c;
    j = {{"type", "comparison"}, {"criterion", {{"gain", required.gain}, {"confidence", required.confidence}}}};
    auto& all = j["alternatives"] = json::array();
    for (std::size_t i = 0; i != found.records.size(); ++i) {
        auto const interval = detail::interval_over_base(found, i, required);
        auto& one = all.emplace_back(json{{"speedup", nullptr}, {"interval", nullptr}});
        if (auto const known = detail::speedup_of_times(found, i)) one["speedup"] = *known;
        if (interval) one["interval"] = {{"low", interval->low}, {"high", interval->high}};
        one["outcome"] = detail::outcome_word(found, i, required);
        if (auto const gain = gain_in_application(found, i, required.confidence))
            one["application_gain"] = {{"value", gain->value}, {"low", gain->low}, {"high", gain->high}};
        one["record"] = found.records[i];
    }
    if (found.application) detail::write_members(j["application"] = json::object(), *found.application);
}

SONDE_INLINE void from_json(json const& j, reported_comparison& c) {
    auto const& required = j.at("criterion");
    c.criterion = {required.at("gain").get<double>(), required.at("confidence").get<double>()};
    c.comparison.records.clear();
    for (auto const& one : j.at("alternatives")) c.comparison.records.push_back(one.at("record").get<record>());
    c.comparison.application.reset();
    if (j.contains("application")) detail::read_members(j.at("application"), c.comparison.application.emplace());
}

SONDE_INLINE void to_json(json& j, scope_record const& r) {
    j = json::object();
    detail::json_io<json> io{j};
    io.type("scope");
    io("name", r.name, "parent", r.parent, "depth", r.depth, "passes", r.times.count(), "ranks", r.ranks);
    io("median_seconds", median(r), "p99_seconds", percentile(r, 0.99), "max_seconds", r.times.max());
    io("totals_seconds", r.totals, "enclosing_seconds", r.enclosing, "share", share(r));
    io("slowest", r.slowest, "imbalance", imbalance(r), "bytes", r.bytes, "bytes_per_second", bandwidth(r));
    io("efficiency", efficiency(r), "times", nullptr, "reference", r.reference);
    if (r.kind != scope_kind::part) io("kind", r.kind);
    if (r.typical_ratio) io("typical_slowest", r.typical_slowest, "typical_ratio", *r.typical_ratio);
    if (r.times.count() != 0) j["times"] = detail::json_of_buckets(r.times);
}

SONDE_INLINE void from_json(json const& j, scope_record& r) {
    detail::json_io<json const> io{j};
    io("name", r.name, "parent", r.parent, "depth", r.depth, "ranks", r.ranks, "totals_seconds", r.totals);
    io("enclosing_seconds", r.enclosing, "slowest", r.slowest, "bytes", r.bytes, "reference", r.reference);
    io.optional("kind", r.kind);
    io.optional("typical_slowest", r.typical_slowest);
    io.optional("typical_ratio", r.typical_ratio);
    r.times = {};
    if (auto const& times = j.at("times"); !times.is_null())
        r.times = detail::histogram_of_buckets<decltype(r.times)>(times);
}

SONDE_INLINE void to_json(json& j, lateness_record const& r) {
    j = json::object();
    detail::json_io<json> io{j};
    io.type("lateness");
    io("sentences", sentences(r), "waiting", waiting_share(r), "waiting_low", r.low, "waiting_high", r.high);
    io("transfer", transfer_share(r), "steps", r.steps, "enough_steps", r.enough_steps);
    io("observed_seconds", r.observed, "clock_error_seconds", r.clock_error);
    io("late", r.late, "slow_transfers", r.slow_transfers, "effects", r.effects, "exchanges", r.exchanges);
    io("ranks", r.ranks);
}

SONDE_INLINE void from_json(json const& j, lateness_record& r) {
    detail::json_io<json const> io{j};
    io("waiting_low", r.low, "waiting_high", r.high, "steps", r.steps, "enough_steps", r.enough_steps);
    io("observed_seconds", r.observed, "clock_error_seconds", r.clock_error);
    io("late", r.late, "slow_transfers", r.slow_transfers, "effects", r.effects, "exchanges", r.exchanges);
    io("ranks", r.ranks);
}

SONDE_INLINE void for_each_json_line(std::istream& in, std::string const& path,
                                     std::function<void(json const&)> const& use) {
    std::size_t number = 0;
    for (std::string line; std::getline(in, line) && !in.eof();)
        detail::with_place(path, ++number, [&] { use(json::parse(line)); });
}

SONDE_INLINE void for_each_json_line(std::string const& path, std::function<void(json const&)> const& use) {
    std::ifstream file{path};
    if (!file) throw std::system_error{errno, std::generic_category(), "cannot read '" + path + "'"};
    for_each_json_line(file, path, use);
}

} // namespace sonde

#endif
