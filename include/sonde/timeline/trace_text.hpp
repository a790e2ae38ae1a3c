// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/clock/offset.hpp>
#include <sonde/timeline.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

// Events as text in the Trace Event Format of Chrome, which Perfetto and chrome://tracing open:
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU

namespace sonde::detail {

/// Length of the UTF-8 sequence at the beginning of a text that is not empty; 0 if there is none.
inline std::size_t utf8_length(std::string_view text) {
    auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    auto const first = byte(0);
    if (first < 0x80) return 1;
    std::size_t const length = first >= 0xc2 && first < 0xe0   ? 2
                               : (first & 0xf0) == 0xe0        ? 3
                               : first >= 0xf0 && first < 0xf5 ? 4
                                                               : 0;
    if (length == 0 || text.size() < length) return 0;
    for (std::size_t i = 1; i != length; ++i)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    auto const second = byte(1); // no overlong forms, no surrogates, nothing beyond U+10FFFF
    auto const out_of_range = (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
                              (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
    return out_of_range ? 0 : length;
}

/// The text as a JSON string, with quotes; bytes that are not UTF-8 become U+FFFD.
inline std::string json_string(std::string_view text) {
    std::string quoted{'"'};
    while (!text.empty()) {
        auto const length = utf8_length(text);
        auto const first = static_cast<unsigned char>(text[0]);
        if (length == 0) {
            quoted += "\\ufffd";
        } else if (first < 0x20) {
            char escaped[8];
            std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(first));
            quoted += escaped;
        } else {
            if (first == '"' || first == '\\') quoted += '\\';
            quoted += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return quoted += '"';
}

/// Whole nanoseconds as microseconds with three decimals, the unit of the format.
inline std::string microseconds_text(std::int64_t nanoseconds) {
    char text[32];
    auto const magnitude = nanoseconds < 0 ? -nanoseconds : nanoseconds;
    std::snprintf(text, sizeof text, "%s%lld.%03lld", nanoseconds < 0 ? "-" : "",
                  static_cast<long long>(magnitude / 1000), static_cast<long long>(magnitude % 1000));
    return text;
}

inline char const* category(event_kind kind) {
    switch (kind) {
    case event_kind::scope:
        return "scope";
    case event_kind::sample:
        return "sample";
    default:
        return "message";
    }
}

/// Text of the events of one rank. Every line begins with a comma and a line feed.
class trace_text {
public:
    /// `origin`: the global time 0 of the file.
    trace_text(int rank, clock_model const& model, seconds origin) : rank_{rank}, model_{model}, origin_{origin} {}

    /// Call `line(text)` for the name of the rank.
    void write_rank(auto line) const {
        auto const rank = std::to_string(rank_);
        line(metadata("process_name", 0, "\"name\":\"rank " + rank + "\""));
        line(metadata("process_sort_index", 0, "\"sort_index\":" + rank));
    }
    /// Call `line(text)` for the name of a track and for each of its events in order of their begins, enclosing slices
    /// first.
    void write_track(timeline_track const& track, std::size_t index, auto line) const {
        line(metadata("thread_name", index, "\"name\":" + json_string(track.name())));
        line(metadata("thread_sort_index", index, "\"sort_index\":" + std::to_string(index)));
        auto events = track.events();
        auto const is_slice = [&](timeline_event const& e) { return track.types()[e.type].is_slice(); };
        std::stable_sort(events.begin(), events.end(), [&](timeline_event const& a, timeline_event const& b) {
            if (a.begin != b.begin) return a.begin < b.begin;
            return a.end != b.end ? a.end > b.end : is_slice(a) && !is_slice(b);
        });
        if (track.dropped() != 0 && !events.empty()) line(dropped(track.dropped(), index, events.front().begin));
        for (auto const& e : events) write_event(track.types()[e.type], e, index, line);
    }
    /// Upper bound of the length of a line for a name of this length in JSON.
    static constexpr std::size_t longest_line(std::size_t name) { return name + 400; }

private:
    std::int64_t nanoseconds(seconds reading) const {
        return std::llround((model_.to_global(reading) - origin_).count() * 1e9);
    }
    /// The begin of an object: ",\n{"ph":"X","pid":3,"tid":0".
    std::string object(char phase, std::size_t index) const {
        return std::string{",\n{\"ph\":\""} + phase + "\",\"pid\":" + std::to_string(rank_) +
               ",\"tid\":" + std::to_string(index);
    }
    std::string metadata(char const* name, std::size_t index, std::string const& argument) const {
        return object('M', index) + ",\"name\":\"" + name + "\",\"args\":{" + argument + "}}";
    }
    std::string dropped(std::size_t events, std::size_t index, seconds at) const {
        return object('i', index) + ",\"s\":\"t\",\"cat\":\"dropped\",\"name\":\"" + std::to_string(events) +
               " earlier events were dropped\",\"ts\":" + microseconds_text(nanoseconds(at)) + "}";
    }

    void write_event(event_type const& type, timeline_event const& e, std::size_t index, auto line) const {
        auto const begin = nanoseconds(e.begin), end = std::max(begin, nanoseconds(e.end));
        if (type.is_slice())
            line(object('X', index) + ",\"cat\":\"" + category(type.kind) + "\",\"name\":" + json_string(type.name) +
                 ",\"ts\":" + microseconds_text(begin) + ",\"dur\":" + microseconds_text(end - begin) +
                 arguments(type, e) + "}");
        if (type.peer < 0) return;
        auto const sends = type.kind == event_kind::send || type.kind == event_kind::departure;
        // An arrow leaves at the beginning of its slice, and arrives just before the end of its slice, within it.
        auto const from = sends ? rank_ : type.peer, to = sends ? type.peer : rank_;
        line(object(sends ? 's' : 'f', index) + (sends ? "" : ",\"bp\":\"e\"") + ",\"cat\":\"message\",\"name\":\"" +
             std::to_string(from) + " to " + std::to_string(to) + ", tag " + std::to_string(type.tag) + "\",\"id\":\"" +
             flow_id(from, to, type.tag, e.number) +
             "\",\"ts\":" + microseconds_text(sends ? begin : std::max(begin, end - 1)) + "}");
    }
    static std::string arguments(event_type const& type, timeline_event const& e) {
        if (type.kind == event_kind::scope && type.bytes == 0) return "";
        auto const number = std::to_string(e.number);
        std::string text = ",\"args\":{";
        if (type.kind == event_kind::scope) text += "\"bytes\":" + std::to_string(type.bytes);
        else if (type.kind == event_kind::sample) text += "\"sample\":" + number;
        else
            text += "\"peer\":" + std::to_string(type.peer) + ",\"tag\":" + std::to_string(type.tag) +
                    ",\"message\":" + number;
        return text += "}";
    }
    /// Viewers connect events of the same category, name and id. The name has the ranks and the tag. Some viewers
    /// compare the id alone, so the id is a hash of ranks, tag and number (the mixer of splitmix64).
    static std::string flow_id(int from, int to, int tag, std::uint64_t number) {
        std::uint64_t hash = 0;
        for (auto const part : {static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(to),
                                static_cast<std::uint64_t>(tag), number}) {
            hash += part + 0x9e3779b97f4a7c15u;
            hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9u;
            hash = (hash ^ hash >> 27) * 0x94d049bb133111ebu;
            hash ^= hash >> 31;
        }
        char text[20];
        std::snprintf(text, sizeof text, "0x%016llx", static_cast<unsigned long long>(hash));
        return text;
    }

    int rank_;
    clock_model model_;
    seconds origin_;
};

} // namespace sonde::detail
