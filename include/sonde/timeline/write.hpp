// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/clock/offset.hpp>
#include <sonde/group.hpp>
#include <sonde/report/text.hpp>
#include <sonde/timeline.hpp>
#include <sonde/timeline/trace_text.hpp>
#include <sonde/version.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace sonde {

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
        for (std::size_t at = 0; at != all.size(); at += piece_.size()) {
            std::string_view const text{&all[at], piece_.size()};
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
        if (is_root) guard([&] { file_ = open_file(path_, "w"); });
    }
    void write(std::string_view text) {
        if (file_ && !failure_) guard([&] { write_to(file_.get(), text, path_); });
    }
    /// Throws rank 0's failure there, and std::runtime_error on the other ranks. Collective over the group.
    void throw_on_all(Group auto& group) const {
        std::array<double, 1> failed{failure_ ? 1.0 : 0.0};
        group.all_reduce(failed, reduction::max);
        if (failure_) std::rethrow_exception(failure_);
        if (failed[0] != 0) throw std::runtime_error{"sonde::write_timeline: rank 0 cannot write '" + path_ + "'"};
    }

private:
    void guard(auto f) {
        try {
            f();
        } catch (...) {
            failure_ = std::current_exception();
        }
    }

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

    timeline_extent(timeline const& t, clock_model const& model) {
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
    /// The bound of the clock's error grows towards both ends.
    seconds error_bound(clock_model const& model) const {
        return events == 0 ? seconds{} : std::max(model.error_bound(first), model.error_bound(last));
    }
};

inline std::string trace_header(timeline_summary const& s, int ranks) {
    auto const us = [](seconds t) { return text_of(t.count() * 1e6); };
    return "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"producer\":\"Sonde " SONDE_VERSION "\",\"ranks\":" +
           std::to_string(ranks) + ",\"events\":" + std::to_string(s.events) +
           ",\"dropped_events\":" + std::to_string(s.dropped) + ",\"clock_error_bound_us\":" + us(s.error_bound) +
           ",\"clock_deviation_us\":" + us(s.deviation) + "},\n\"traceEvents\":[";
}

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
    requires requires(G& group, GlobalClock& clock) { sonde::seconds{clock.measure_deviation(group)}; } ||
             requires(G& group, GlobalClock& clock) { clock.measure_deviation(group).max; }
timeline_summary write_timeline(G& group, timeline const& events, GlobalClock& clock, std::string const& path) {
    detail::watched_call const watched{group, "write_timeline"};
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
    timeline_summary found{static_cast<std::size_t>(sums[0]), static_cast<std::size_t>(sums[1]), seconds{maxima[1]}};
    if constexpr (requires { deviation.max; }) found.deviation = deviation.max;
    else found.deviation = deviation;

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
