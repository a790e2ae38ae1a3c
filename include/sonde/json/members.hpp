// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/lateness/lateness_record.hpp>
#include <sonde/measure/application_scope.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/pattern.hpp>
#include <sonde/stat/histogram.hpp>
#include <sonde/stat/steps.hpp>
#include <sonde/stop.hpp>

#include <nlohmann/json.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

// The keys of the objects, and the values of their members. docs/json.md documents the keys.

namespace sonde::inline v0_1 {

/// JSON objects whose keys keep the order in which they were added.
using json = nlohmann::ordered_json;

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
void write_value(json& j, scope_kind kind);
void write_value(json& j, step_effect_kind kind);
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
/// A kind that this version does not know is read as `part`.
void read_value(json const& j, scope_kind& kind);
void read_value(json const& j, step_effect_kind& kind);
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
    void optional(char const* key, auto& value, auto&&... more) {
        if constexpr (reads) {
            if (j.contains(key)) (*this)(key, value);
            else value = {};
        } else {
            json member;
            write_value(member, value);
            auto const* const text = member.get_ptr<json::string_t const*>();
            if (text == nullptr ? !member.empty() : !text->empty()) j[key] = std::move(member);
        }
        if constexpr (sizeof...(more) != 0) optional(more...);
    }
    /// A vector that only rank 0 has: an empty array without it.
    void of_root(char const* key, auto& value) {
        if constexpr (!reads) j[key] = json::array();
        if (reads || value) (*this)(key, value);
        if constexpr (reads)
            if (value && value->empty()) value.reset();
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
    static void of(auto io, maybe_const<finish_lag> auto& l) { io("seconds", l.time, "share", l.share); }
    static void of(auto io, maybe_const<clock_properties> auto& c) {
        io("cost", c.cost, "resolution", c.resolution, "bias", c.bias);
    }
    static void of(auto io, maybe_const<traffic> auto& t) {
        io.count("bytes", t.bytes);
        io.count("messages", t.messages);
        io("hops", t.hops, "bus_factor", t.bus_factor);
    }
    static void of(auto io, maybe_const<application_scope> auto& a) {
        io("scope", a.name, "transfer_seconds", a.transfer, "waiting_seconds", a.waiting, "loop_seconds", a.loop);
    }
    static void of(auto io, maybe_const<exchange_lateness> auto& e) {
        io("name", e.name, "passes", e.passes, "earlier_passes", e.unexamined);
        io("waiting_seconds", e.waiting, "transfer_seconds", e.transfer);
        io.optional("unequal_passes", e.unequal);
    }
    static void of(auto io, maybe_const<unequal_passes> auto& u) {
        io("fewest", u.fewest, "fewest_rank", u.fewest_rank, "most", u.most, "most_rank", u.most_rank);
    }
    static void of(auto io, maybe_const<rank_lateness> auto& r) {
        io("waiting_seconds", r.waiting, "caused_by_work_seconds", r.caused_by_work);
        io("caused_by_transfer_seconds", r.caused_by_transfer);
    }
    static void of(auto io, maybe_const<late_work> auto& w) {
        io("name", w.name, "ratio", w.ratio, "typical_seconds", w.typical, "of_other_steps", w.of_other_steps);
    }
    static void of(auto io, maybe_const<late_rank> auto& l) {
        io("rank", l.rank, "caused_seconds", l.caused, "exchange", l.exchange, "lateness_seconds", l.lateness);
        io("steps", l.steps, "of_steps", l.of_steps, "work", l.work);
    }
    static void of(auto io, maybe_const<slow_transfer> auto& s) {
        io("exchange", s.exchange, "ranks", s.ranks, "ratio", s.ratio, "caused_seconds", s.caused);
    }
    static void of(auto io, maybe_const<scope_effect> auto& s) {
        auto& e = s.effect;
        io("scope", s.scope, "kind", e.kind, "steps", e.steps, "period", e.period, "of_steps", e.series);
        io("typical_seconds", e.typical, "excess_seconds", e.excess, "p", e.p);
    }
    static void of(auto io, maybe_const<stop_info> auto& s) { io("reason", s.reason, "samples", s.samples); }
    static void of(auto io, maybe_const<flags> auto& f) {
        for (auto const& one : all_flags) io.flag(one.name, f.*one.member);
    }
    static void of(auto io, maybe_const<global_times> auto& g) {
        io("series_seconds", g.series, "entry_skews_seconds", g.entry_skews, "exit_skews_seconds", g.exit_skews);
        io("late_samples", g.late_samples, "error_bound_seconds", g.error_bound, "deviation_seconds", g.deviation);
    }
    static void of(auto io, maybe_const<device_traffic> auto& d) {
        io("name", d.name, "kind", d.kind);
        io.optional("state", d.state, "below", d.below, "gigabits_per_second", d.gigabits_per_second);
        io("sent_bytes", d.sent_bytes, "received_bytes", d.received_bytes);
        io.optional("sent_packets", d.sent_packets, "received_packets", d.received_packets, "errors", d.errors);
        io.optional("drops", d.drops, "retransmissions", d.retransmissions);
    }
    static void of(auto io, maybe_const<host_traffic> auto& h) {
        io("host", h.host, "devices", h.devices);
        io.optional("tcp_segments", h.tcp_segments, "tcp_retransmissions", h.tcp_retransmissions, "unread", h.unread);
    }
    static void of(auto io, maybe_const<carried_traffic> auto& c) {
        io("hosts", c.hosts, "iterations", c.iterations);
        io.optional("bytes", c.bytes, "messages", c.messages);
    }
    static void of(auto io, maybe_const<record> auto& r) {
        io.type("record");
        io("name", r.point.name, "parameters", r.point.parameters, "total", r.total, "ranks", r.ranks);
        io("initiators", r.initiators, "batch", r.batch, "over_ranks_seconds", r.over_ranks, "first_seconds", r.first);
        io("clock_seconds", r.clock_properties, "stop", r.stop, "flags", r.flags, "errors", r.errors);
        io.of_root("slowest_counts", r.slowest_counts);
        io("series_seconds", r.series);
        io.optional("stragglers", r.stragglers, "straggler_lags", r.straggler_lags, "overflow", r.overflow);
        io.optional("sample_means_seconds", r.sample_means, "carried", r.carried, "global", r.global);
        io.optional("rank_means_seconds", r.rank_means, "rank_samples_seconds", r.rank_samples);
    }
    static void of(auto io, maybe_const<network_port> auto& p) {
        io("name", p.name, "kind", p.kind);
        io.optional("gigabits_per_second", p.gigabits_per_second);
    }
    static void of(auto io, maybe_const<system_info> auto& s) {
        io.optional("processor", s.processor, "sockets", s.sockets, "cores", s.cores);
        io.optional("hardware_threads", s.hardware_threads, "numa_nodes", s.numa_nodes);
        io.optional("governor", s.governor, "boost", s.boost, "kernel", s.kernel);
        io.optional("memory_bytes", s.memory_bytes, "memory_limit_bytes", s.memory_limit_bytes);
        io.optional("container", s.container, "fabric", s.fabric, "gpu_driver", s.gpu_driver);
    }
    static void of(auto io, maybe_const<job_info> auto& j) {
        io.optional("resource_manager", j.resource_manager, "id", j.id, "array_task", j.array_task, "launcher",
                    j.launcher);
    }
    static void of(auto io, maybe_const<environment> auto& e) {
        io.type("environment");
        io.optional("schema_version", e.schema_version, "date", e.date);
        io("sonde_version", e.sonde_version, "compiler", e.compiler, "build", e.build, "command_line", e.command_line);
        io("communication_library", e.communication_library, "hosts", e.hosts, "ranks_per_host", e.ranks_per_host);
        io("host_of_rank", e.host_of_rank, "bindings", e.bindings);
        io.optional("control_variables", e.control_variables, "transport", e.transport, "devices", e.devices);
        io.optional("system", e.system, "unlike_hosts", e.unlike_hosts, "job", e.job);
    }
    static void of(auto io, maybe_const<launch> auto& l) {
        io.type("launch");
        io("launch", l.number, "command", l.command, "outcome", l.outcome, "wall_seconds", l.wall);
    }
};

} // namespace detail

} // namespace sonde
