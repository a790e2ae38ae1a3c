// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/clock/offset.hpp>
#include <sonde/group.hpp>
#include <sonde/group/agreement.hpp>
#include <sonde/group/group_ref.hpp>
#include <sonde/measure/equal_plans.hpp>
#include <sonde/report/text.hpp>
#include <sonde/timeline.hpp>
#include <sonde/version.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Events as text in the Trace Event Format of Chrome, which Perfetto and chrome://tracing open:
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU

namespace sonde::inline v0_1::detail {

/// The text as a JSON string, with quotes; bytes that are not UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

/// Whole nanoseconds as microseconds with three decimals, the unit of the format.
std::string microseconds_text(std::int64_t nanoseconds);

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
    /// first. A slice that ends after the slice in which it begins is a pair of asynchronous events, because viewers
    /// drop slices that overlap without being nested.
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
        std::vector<seconds> open; // ends of the slices in which the next event begins, the innermost one last
        std::size_t pairs = 0;
        for (auto const& e : events) {
            auto const& type = track.types()[e.type];
            while (!open.empty() && !(e.begin < open.back())) open.pop_back();
            if (type.is_slice() && !open.empty() && open.back() < e.end) {
                write_pair(type, e, index, pairs++, line);
            } else if (type.is_slice()) {
                open.push_back(e.end);
                write_slice(type, e, index, line);
            }
            if (type.peer >= 0) write_arrow(type, e, index, line);
        }
    }
    /// Upper bound of the length of a line for a name of this length in JSON.
    static constexpr std::size_t longest_line(std::size_t name) { return name + 400; }

private:
    std::int64_t nanoseconds(seconds reading) const;
    /// The begin of an object: ",\n{"ph":"X","pid":3,"tid":0".
    std::string object(char phase, std::size_t index) const;
    std::string metadata(char const* name, std::size_t index, std::string const& argument) const;
    std::string dropped(std::size_t events, std::size_t index, seconds at) const;

    /// The begin of the object of a slice, or of an end of it, up to its time.
    std::string event(char phase, event_type const& type, std::size_t index, std::int64_t at) const;
    std::int64_t end_of(timeline_event const& e) const { return std::max(nanoseconds(e.begin), nanoseconds(e.end)); }

    void write_slice(event_type const& type, timeline_event const& e, std::size_t index, auto line) const {
        auto const begin = nanoseconds(e.begin);
        line(event('X', type, index, begin) + ",\"dur\":" + microseconds_text(end_of(e) - begin) + arguments(type, e) +
             "}");
    }
    void write_pair(event_type const& type, timeline_event const& e, std::size_t index, std::size_t number,
                    auto line) const {
        auto const id =
            ",\"id\":\"" + std::to_string(rank_) + '.' + std::to_string(index) + '.' + std::to_string(number) + '"';
        line(event('b', type, index, nanoseconds(e.begin)) + id + arguments(type, e) + "}");
        line(event('e', type, index, end_of(e)) + id + "}");
    }
    void write_arrow(event_type const& type, timeline_event const& e, std::size_t index, auto line) const {
        auto const begin = nanoseconds(e.begin), end = end_of(e);
        auto const sends = type.kind == event_kind::send || type.kind == event_kind::departure;
        // An arrow leaves at the beginning of its slice, and arrives just before the end of its slice, within it.
        auto const from = sends ? rank_ : type.peer, to = sends ? type.peer : rank_;
        line(object(sends ? 's' : 'f', index) + (sends ? "" : ",\"bp\":\"e\"") + ",\"cat\":\"message\",\"name\":\"" +
             std::to_string(from) + " to " + std::to_string(to) + ", tag " + std::to_string(type.tag) + "\",\"id\":\"" +
             flow_id(from, to, type.tag, e.number) +
             "\",\"ts\":" + microseconds_text(sends ? begin : std::max(begin, end - 1)) + "}");
    }
    static std::string arguments(event_type const& type, timeline_event const& e);
    /// Viewers connect events of the same category, name and id. The name has the ranks and the tag. Some viewers
    /// compare the id alone, so the id is a hash of ranks, tag and number (the mixer of splitmix64).
    static std::string flow_id(int from, int to, int tag, std::uint64_t number);

    int rank_;
    clock_model model_;
    seconds origin_;
};

} // namespace sonde::detail

namespace sonde::inline v0_1 {

/// What `write_timeline` wrote, equal on every rank.
struct timeline_summary {
    std::size_t events = 0;  // of all ranks, in the file
    std::size_t dropped = 0; // of all ranks: events that later ones replaced
    seconds error_bound{};   // of the global time of any event; twice that for a difference of two ranks' times
    seconds deviation{};     // largest deviation of a rank's clock from rank 0's, measured before the write
};

namespace detail {

/// Joins texts of all ranks on rank 0. It moves one piece of constant size from each rank at a time. Collective over
/// the group: all ranks call `finish` at the end.
template <Group G, class Write>
class text_gatherer {
public:
    /// `write(text)` is called on rank 0, with whole lines. A piece has at least `longest_line` bytes.
    text_gatherer(G& group, std::size_t longest_line, Write write) : group_{&group}, write_{write} {
        constexpr std::size_t on_rank_0 = std::size_t{1} << 24, most = std::size_t{1} << 16; // bytes
        auto const ranks = static_cast<std::size_t>(group.size());
        capacity_ = std::max(longest_line, std::min(most, on_rank_0 / ranks));
    }
    void line(std::string_view text) {
        if (piece_.size() + text.size() > capacity_) write_pieces();
        piece_ += text;
    }
    void finish() {
        while (write_pieces()) {
        }
    }

private:
    /// Write the pieces of all ranks; returns false if no rank has any text left.
    bool write_pieces() {
        std::array<double, 1> longest{static_cast<double>(piece_.size())};
        group_->all_reduce(longest, reduction::max);
        if (longest[0] == 0) return false;
        piece_.resize(static_cast<std::size_t>(longest[0])); // with null characters, which no line has
        auto const all = sonde::gather(*group_, std::span{piece_.data(), piece_.size()});
        for (std::size_t at = 0; all && at != all->size(); at += piece_.size()) {
            std::string_view const text{&all->at(at), piece_.size()};
            write_(text.substr(0, text.find('\0')));
        }
        piece_.clear();
        return true;
    }

    G* group_;
    Write write_;
    std::size_t capacity_;
    std::string piece_;
};

/// The file on rank 0. After the first failure nothing is written, and `throw_on_all` throws on all ranks.
class trace_file {
public:
    trace_file(bool is_root, std::string path) : path_{std::move(path)} {
        if (is_root) detail::attempt(failure_, [&] { file_ = open_file(path_, "w"); });
    }
    void write(std::string_view text) {
        if (file_ && !failure_) detail::attempt(failure_, [&] { write_to(file_.get(), text, path_); });
    }
    /// Throws rank 0's failure there, and std::runtime_error on the other ranks. Collective over the group.
    void throw_on_all(Group auto& group) const {
        detail::throw_on_all(group, failure_, [this](int) {
            return std::runtime_error{"sonde::write_timeline: rank 0 cannot write '" + path_ + "'"};
        });
    }

private:
    std::string path_;
    unique_file file_;
    std::exception_ptr failure_;
};

/// Begin of the earliest event of this rank and end of the latest one, in global time, and number of events.
struct timeline_extent {
    seconds first = seconds::max(); // without events; finite, so that it can be reduced
    seconds last = seconds::min();
    std::size_t events = 0;
    std::size_t dropped = 0;
    std::size_t longest_name = 0; // in JSON

    timeline_extent(timeline const& t, clock_model const& model);
    /// The bound of the clock's error grows towards both ends.
    seconds error_bound(clock_model const& model) const;
};

std::string trace_header(timeline_summary const& s, int ranks);

} // namespace detail

/// Write the events of all ranks into one file in the Trace Event Format of Chrome, which https://ui.perfetto.dev and
/// chrome://tracing open. Collective over the group. No thread may record meanwhile. The events are kept.
///
/// Each rank is a process, each track is a thread, and each message that both ranks recorded is an arrow. Times are
/// global times since the begin of the earliest event. `otherData` has the bound of their error and the number of
/// dropped events. `clock` is a `global_clock` or a `synchronized_start` of the group, made from the clock by which the
/// events were recorded. Its deviation is measured first.
///
/// Rank 0 receives the text of all ranks in pieces of at most 64 KiB per rank and 16 MiB in total. Pieces are larger if
/// a line does not fit into these limits. Throws on all ranks: std::system_error on rank 0, and std::runtime_error on
/// the others, if the file cannot be written.
template <Group G, class GlobalClock>
    requires requires(G& group, GlobalClock& clock) { clock.measure_deviation(group).max; }
timeline_summary write_timeline(G& group, timeline const& events, GlobalClock& clock, std::string const& path) {
    detail::watched_call const watched{group, "write_timeline"};
    detail::fingerprint of_clock;
    std::exception_ptr failure;
    detail::attempt(failure, [&] {
        for (double const number : detail::clock_hook::parameters(clock).all) of_clock.add(number);
    });
    detail::require_same_call(group_ref{group}, {"write_timeline"}, failure);
    detail::require_equal_parts(group, std::array{of_clock.value()}, std::array{"clock"},
                                "sonde::write_timeline: the arguments must be equal on all ranks");
    detail::trace_file file{group.rank() == 0, path};
    file.throw_on_all(group);
    auto const deviation = clock.measure_deviation(group);
    clock_model const model = clock.model();
    detail::timeline_extent const mine{events, model};
    std::array<double, 3> maxima{-mine.first.count(), mine.error_bound(model).count(),
                                 static_cast<double>(mine.longest_name)};
    std::array<double, 2> sums{static_cast<double>(mine.events), static_cast<double>(mine.dropped)};
    group.all_reduce(maxima, reduction::max);
    group.all_reduce(sums, reduction::sum);
    timeline_summary found{static_cast<std::size_t>(sums[0]), static_cast<std::size_t>(sums[1]), seconds{maxima[1]},
                           deviation.max};

    file.write(detail::trace_header(found, group.size()));
    bool is_first = true;
    auto const write = [&](std::string_view text) {
        if (text.empty()) return;
        file.write(text.substr(is_first ? 1 : 0)); // the first line without its comma
        is_first = false;
    };
    detail::text_gatherer pieces{group, detail::trace_text::longest_line(static_cast<std::size_t>(maxima[2])), write};
    auto const line = [&](std::string_view text) { pieces.line(text); };
    detail::trace_text const text{group.rank(), model, seconds{found.events == 0 ? 0 : -maxima[0]}};
    text.write_rank(line);
    std::size_t index = 0;
    for (auto const& track : events.tracks()) text.write_track(track, index++, line);
    pieces.finish();
    file.write("\n]}\n");
    file.throw_on_all(group);
    return found;
}

} // namespace sonde

#if SONDE_DEFINITIONS
#include <cmath>
#include <cstdio>

namespace sonde::inline v0_1::detail {

SONDE_INLINE std::string json_string(std::string_view text) {
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

SONDE_INLINE std::string microseconds_text(std::int64_t nanoseconds) {
    char text[32];
    auto const magnitude = nanoseconds < 0 ? -nanoseconds : nanoseconds;
    std::snprintf(text, sizeof text, "%s%lld.%03lld", nanoseconds < 0 ? "-" : "",
                  static_cast<long long>(magnitude / 1000), static_cast<long long>(magnitude % 1000));
    return text;
}

SONDE_INLINE char const* category(event_kind kind) {
    switch (kind) {
    case event_kind::scope:
        return "scope";
    case event_kind::sample:
        return "sample";
    default:
        return "message";
    }
}

SONDE_INLINE std::int64_t trace_text::nanoseconds(seconds reading) const {
    return std::llround((model_.to_global(reading) - origin_).count() * 1e9);
}

SONDE_INLINE std::string trace_text::object(char phase, std::size_t index) const {
    return std::string{",\n{\"ph\":\""} + phase + "\",\"pid\":" + std::to_string(rank_) +
           ",\"tid\":" + std::to_string(index);
}

SONDE_INLINE std::string trace_text::metadata(char const* name, std::size_t index, std::string const& argument) const {
    return object('M', index) + ",\"name\":\"" + name + "\",\"args\":{" + argument + "}}";
}

SONDE_INLINE std::string trace_text::dropped(std::size_t events, std::size_t index, seconds at) const {
    return object('i', index) + ",\"s\":\"t\",\"cat\":\"dropped\",\"name\":\"" + std::to_string(events) +
           " earlier events were dropped\",\"ts\":" + microseconds_text(nanoseconds(at)) + "}";
}

SONDE_INLINE std::string trace_text::event(char phase, event_type const& type, std::size_t index,
                                           std::int64_t at) const {
    return object(phase, index) + ",\"cat\":\"" + category(type.kind) + "\",\"name\":" + json_string(type.name) +
           ",\"ts\":" + microseconds_text(at);
}

SONDE_INLINE std::string trace_text::arguments(event_type const& type, timeline_event const& e) {
    if (type.kind == event_kind::scope && type.bytes == 0) return "";
    auto const number = std::to_string(e.number);
    std::string text = ",\"args\":{";
    if (type.kind == event_kind::scope) text += "\"bytes\":" + std::to_string(type.bytes);
    else if (type.kind == event_kind::sample) text += "\"sample\":" + number;
    else
        text +=
            "\"peer\":" + std::to_string(type.peer) + ",\"tag\":" + std::to_string(type.tag) + ",\"message\":" + number;
    return text += "}";
}

SONDE_INLINE std::string trace_text::flow_id(int from, int to, int tag, std::uint64_t number) {
    std::uint64_t hash = 0;
    for (auto const part :
         {static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(to), static_cast<std::uint64_t>(tag), number}) {
        hash += part + 0x9e3779b97f4a7c15u;
        hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9u;
        hash = (hash ^ hash >> 27) * 0x94d049bb133111ebu;
        hash ^= hash >> 31;
    }
    char text[20];
    std::snprintf(text, sizeof text, "0x%016llx", static_cast<unsigned long long>(hash));
    return text;
}

SONDE_INLINE timeline_extent::timeline_extent(timeline const& t, clock_model const& model) {
    for (auto const& track : t.tracks()) {
        events += track.size();
        dropped += track.dropped();
        longest_name = std::max(longest_name, json_string(track.name()).size());
        for (auto const& type : track.types()) longest_name = std::max(longest_name, json_string(type.name).size());
        for (auto const& e : track.events()) {
            first = std::min(first, model.to_global(e.begin));
            last = std::max(last, model.to_global(e.end));
        }
    }
}

SONDE_INLINE seconds timeline_extent::error_bound(clock_model const& model) const {
    return events == 0 ? seconds{} : std::max(model.error_bound(first), model.error_bound(last));
}

SONDE_INLINE std::string trace_header(timeline_summary const& s, int ranks) {
    auto const us = [](seconds t) { return text_of(t.count() * 1e6); };
    return "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"producer\":\"Sonde " SONDE_VERSION "\",\"ranks\":" +
           std::to_string(ranks) + ",\"events\":" + std::to_string(s.events) +
           ",\"dropped_events\":" + std::to_string(s.dropped) + ",\"clock_error_bound_us\":" + us(s.error_bound) +
           ",\"clock_deviation_us\":" + us(s.deviation) + "},\n\"traceEvents\":[";
}

} // namespace sonde::detail

#endif
