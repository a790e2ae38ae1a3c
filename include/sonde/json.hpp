// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/comparison.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/pattern.hpp>
#include <sonde/probe/scope_record.hpp>
#include <sonde/report/text.hpp>
#include <sonde/stat/histogram.hpp>
#include <sonde/stop.hpp>

#include <nlohmann/json.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

/// JSON objects whose keys keep the order in which they were added.
using json = nlohmann::ordered_json;

/// {"buckets": [[index, count], ..], "sum", "max", "min"}: the buckets that are not empty, and the exact values in
/// picoseconds.
void to_json(json& j, histogram const& h);
/// Reads what `to_json` writes.
void from_json(json const& j, histogram& h);

namespace detail {

/// The parameter as a text or a number. An integer keeps all its digits, which may be more than a double has.
json json_of(parameter const& p);

/// A number of bytes or messages. Throws std::invalid_argument if it is negative or not an integer.
std::size_t count_from(json const& j);

// Values of members. Times are in seconds; JSON has no NaN and no infinity: both are written as null.

template <class T>
void write_value(json& j, T const& value) {
    j = value;
}
void write_value(json& j, seconds time);
void write_value(json& j, stop_reason reason);
void write_value(json& j, std::vector<seconds> const& times);
void write_value(json& j, std::vector<parameter> const& parameters);
void write_value(json& j, std::vector<histogram> const& one);
template <class T>
void write_value(json& j, std::optional<T> const& value) {
    if (value) write_value(j, *value);
}

template <class T>
void read_value(json const& j, T& value) {
    j.get_to(value);
}
void read_value(json const& j, seconds& time);
/// A reason that this version does not know is read as `other`.
void read_value(json const& j, stop_reason& reason);
void read_value(json const& j, std::vector<seconds>& times);
void read_value(json const& j, std::vector<parameter>& parameters);
void read_value(json const& j, std::vector<histogram>& one);
template <class T>
void read_value(json const& j, std::optional<T>& value) {
    value.reset();
    if (!j.is_null()) read_value(j, value.emplace());
}

/// Writes members of an object, or reads them if J is constant: io("key", member, "key", member, ...). Reading throws
/// an exception of nlohmann/json if a key is missing or its value has another type.
template <class J>
struct json_io {
    static constexpr bool reads = std::is_const_v<J>;
    J& j;

    void type(char const* name) {
        if constexpr (!reads) j["type"] = name;
    }
    template <class T, class... More>
    void operator()(char const* key, T&& value, More&&... more) {
        if constexpr (reads) read_value(j.at(key), value);
        else write_value(j[key], value);
        if constexpr (sizeof...(more) != 0) (*this)(more...);
    }
    /// An empty vector, text, object or std::optional has no key.
    void optional(char const* key, auto& value) {
        if constexpr (reads) {
            if (j.contains(key)) (*this)(key, value);
            else value = {};
        } else {
            json member;
            write_value(member, value);
            if (!member.empty() && member != "") j[key] = std::move(member);
        }
    }
    /// A flag. It is read as not set from the file of a version without this flag.
    void flag(char const* key, auto& value) {
        if constexpr (reads) value = j.contains(key) && j.at(key).template get<bool>();
        else j[key] = value;
    }
    /// A number of bytes or messages, which JSON stores as a floating-point number.
    void count(char const* key, auto& value) {
        if constexpr (reads) value = count_from(j.at(key));
        else j[key] = static_cast<double>(value);
    }
};

template <class T, class U>
concept maybe_const = std::same_as<std::remove_const_t<T>, U>;

/// The keys and members of the types that are JSON objects; `io` is a json_io.
struct json_members {
    static void of(auto io, maybe_const<min_mean_max> auto& m) { io("min", m.min, "mean", m.mean, "max", m.max); }
    static void of(auto io, maybe_const<clock_properties> auto& c) {
        io("cost", c.cost, "resolution", c.resolution, "bias", c.bias);
    }
    static void of(auto io, maybe_const<traffic> auto& t) {
        io.count("bytes", t.bytes);
        io.count("messages", t.messages);
        io("hops", t.hops, "bus_factor", t.bus_factor);
    }
    static void of(auto io, maybe_const<stop_info> auto& s) { io("reason", s.reason, "samples", s.samples); }
    static void of(auto io, maybe_const<flags> auto& f) {
        io("timer_limited", f.timer_limited, "skew_dominated", f.skew_dominated, "clock_drift", f.clock_drift);
        io.flag("correlated", f.correlated);
        io.flag("oversubscribed", f.oversubscribed);
        io.flag("clock_fault", f.clock_fault);
    }
    static void of(auto io, maybe_const<global_times> auto& g) {
        io("series_seconds", g.series, "entry_skews_seconds", g.entry_skews, "exit_skews_seconds", g.exit_skews);
        io("late_samples", g.late_samples, "error_bound_seconds", g.error_bound, "deviation_seconds", g.deviation);
    }
    static void of(auto io, maybe_const<record> auto& r) {
        io.type("record");
        io("name", r.point.name, "parameters", r.point.parameters, "total", r.total, "ranks", r.ranks);
        io("initiators", r.initiators, "batch", r.batch, "over_ranks_seconds", r.over_ranks, "first_seconds", r.first);
        io("clock_seconds", r.clock_properties, "stop", r.stop, "flags", r.flags, "errors", r.errors);
        io("slowest_counts", r.slowest_counts, "series_seconds", r.series);
        io.optional("slowest_tau", r.slowest_tau);
        io.optional("overflow", r.overflow);
        io.optional("sample_means_seconds", r.sample_means);
        io.optional("global", r.global);
        io.optional("rank_means_seconds", r.rank_means);
        io.optional("rank_samples_seconds", r.rank_samples);
    }
    static void of(auto io, maybe_const<network_port> auto& p) {
        io("name", p.name, "kind", p.kind);
        io.optional("gigabits_per_second", p.gigabits_per_second);
    }
    static void of(auto io, maybe_const<system_info> auto& s) {
        io.optional("processor", s.processor);
        io.optional("sockets", s.sockets);
        io.optional("cores", s.cores);
        io.optional("hardware_threads", s.hardware_threads);
        io.optional("numa_nodes", s.numa_nodes);
        io.optional("governor", s.governor);
        io.optional("boost", s.boost);
        io.optional("kernel", s.kernel);
        io.optional("memory_bytes", s.memory_bytes);
        io.optional("memory_limit_bytes", s.memory_limit_bytes);
        io.optional("container", s.container);
        io.optional("fabric", s.fabric);
        io.optional("gpu_driver", s.gpu_driver);
    }
    static void of(auto io, maybe_const<job_info> auto& j) {
        io.optional("resource_manager", j.resource_manager);
        io.optional("id", j.id);
        io.optional("launcher", j.launcher);
    }
    static void of(auto io, maybe_const<environment> auto& e) {
        io.type("environment");
        io.optional("schema_version", e.schema_version);
        io.optional("date", e.date);
        io("sonde_version", e.sonde_version, "compiler", e.compiler, "build", e.build, "command_line", e.command_line);
        io("communication_library", e.communication_library, "hosts", e.hosts, "ranks_per_host", e.ranks_per_host);
        io("host_of_rank", e.host_of_rank, "bindings", e.bindings);
        io.optional("control_variables", e.control_variables);
        io.optional("transport", e.transport);
        io.optional("devices", e.devices);
        io.optional("system", e.system);
        io.optional("unlike_hosts", e.unlike_hosts);
        io.optional("job", e.job);
    }
    static void of(auto io, maybe_const<launch> auto& l) {
        io.type("launch");
        io("launch", l.number, "command", l.command, "outcome", l.outcome, "wall_seconds", l.wall);
    }
};

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

// The conversions that nlohmann/json looks up. docs/json.md documents the keys.

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

/// Reporter that writes all members of every record in JSON Lines, an object per line. A comparison is one object, with
/// the records of its alternatives, and so are the scopes of a probe (the result of `collect`). The first line is the
/// environment, if it is given. docs/json.md has the keys. A line is written completely when the call returns, so a
/// killed job leaves its measurements. If the environment was made by this process, each line says how much CPU time
/// was stolen from it since then.
///
/// A missing value is null. A time that is not finite is also null, and `read_json_lines` refuses it. All other numbers
/// are read back exactly.
class json_lines {
public:
    explicit json_lines(output_file out) : out_{std::move(out)} {}
    json_lines(output_file out, environment const& e) : out_{std::move(out)}, stolen_before_{e.stolen_before} {
        out_.line(detail::json_line(e));
    }

    void operator()(record const& r) { write(r); }
    void operator()(std::vector<scope_record> const& found) { write({{"type", "scopes"}, {"scopes", found}}); }
    void operator()(comparison const& found, criterion required = {}) { write(reported_comparison{found, required}); }

private:
    void write(json line);
    output_file out_;
    std::optional<seconds> stolen_before_;
};

} // namespace sonde

#if SONDE_DEFINITIONS
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>

namespace sonde::inline v0_1::detail {

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

} // namespace sonde::detail

namespace sonde::inline v0_1 {

SONDE_INLINE void to_json(json& j, histogram const& h) { j = detail::json_of_buckets(h); }

SONDE_INLINE void from_json(json const& j, histogram& h) { h = detail::histogram_of_buckets<histogram>(j); }

} // namespace sonde

namespace sonde::inline v0_1::detail {

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

SONDE_INLINE std::string json_line(json const& j) { return j.dump(-1, ' ', false, json::error_handler_t::replace); }

/// Replace the times of a record by null when it is written, and null by 0 when it is read, because a record without
/// initiators has no times.
SONDE_INLINE void replace_times(json& j, json const& by) {
    for (auto const* const key : {"over_ranks_seconds", "series_seconds", "sample_means_seconds"})
        if (j.contains(key))
            for (auto& time : j[key]) time = by;
    if (j.contains("first_seconds")) j["first_seconds"] = by;
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

SONDE_INLINE void to_json(json& j, record const& r) {
    detail::write_members(j, r);
    if (!has_times(r)) detail::replace_times(j, json{});
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
        auto& one = all.emplace_back(json{{"speedup", speedup(found, i)}, {"interval", nullptr}});
        if (interval) one["interval"] = {{"low", interval->low}, {"high", interval->high}};
        one["outcome"] = detail::outcome_word(found, i, required);
        one["record"] = found.records[i];
    }
}

SONDE_INLINE void from_json(json const& j, reported_comparison& c) {
    auto const& required = j.at("criterion");
    c.criterion = {required.at("gain").get<double>(), required.at("confidence").get<double>()};
    c.comparison.records.clear();
    for (auto const& one : j.at("alternatives")) c.comparison.records.push_back(one.at("record").get<record>());
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
    if (r.times.count() != 0) j["times"] = detail::json_of_buckets(r.times);
}

SONDE_INLINE void from_json(json const& j, scope_record& r) {
    detail::json_io<json const> io{j};
    io("name", r.name, "parent", r.parent, "depth", r.depth, "ranks", r.ranks, "totals_seconds", r.totals);
    io("enclosing_seconds", r.enclosing, "slowest", r.slowest, "bytes", r.bytes, "reference", r.reference);
    r.times = {};
    if (auto const& times = j.at("times"); !times.is_null())
        r.times = detail::histogram_of_buckets<decltype(r.times)>(times);
}

SONDE_INLINE void json_lines::write(json line) {
    if (auto const stolen = stolen_since(stolen_before_)) detail::write_value(line["stolen_seconds"], *stolen);
    out_.line(detail::json_line(line));
}

} // namespace sonde

#endif
