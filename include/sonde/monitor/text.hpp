// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/monitor/changes.hpp>
#include <sonde/monitor/pages.hpp>
#include <sonde/monitor/waiting.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sonde::inline v0_1 {

/// What a monitor writes.
enum class monitor_detail : unsigned char {
    off,  // the number of ranks alone
    node, // each scope, all ranks of the node together
    rank  // each scope of each rank
};

namespace detail {

/// The detail with this name, "off", "node" or "rank"; blanks around it do not count.
std::optional<monitor_detail> detail_named(std::string_view text);

/// What a file of a monitor says beside the counters.
struct monitor_text_options {
    monitor_detail level = monitor_detail::node;
    std::string job;               // value of the label "job_id"
    std::size_t max_series = 2000; // with more, ranks are added up
};

/// The whole file, in the text format of OpenMetrics 1.0. `now`: the present reading of the clock of the counters.
std::string monitor_text(std::vector<rank_counters> const& ranks, change_watch const& changes,
                         waiting_watch const& waiting, seconds now, monitor_text_options const& options);

} // namespace detail

} // namespace sonde

#if SONDE_DEFINITIONS
#include <sonde/report/openmetrics.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace sonde::inline v0_1::detail {

SONDE_INLINE std::optional<monitor_detail> detail_named(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    auto const first = text.find_first_not_of(blanks), last = text.find_last_not_of(blanks);
    text = first == text.npos ? "" : text.substr(first, last - first + 1);
    constexpr std::pair<std::string_view, monitor_detail> all[] = {
        {"off", monitor_detail::off}, {"node", monitor_detail::node}, {"rank", monitor_detail::rank}};
    for (auto const& [name, level] : all)
        if (text == name) return level;
    return std::nullopt;
}

/// A line of a scope: its labels in braces, and its counters. `running`: of any rank.
struct scope_series {
    std::string labels;
    scope_counters counters;
    bool running = true;
    double change = 1;
    exchange_waiting waiting{};
};

/// Add the counters of a scope. Of the last passes the earliest counts, which is that of the rank that stands still.
SONDE_INLINE void add_counters(scope_series& to, scope_counters const& from, bool running) {
    to.counters.passes += from.passes;
    to.counters.time += from.time;
    to.counters.bytes += from.bytes;
    if (!running) return;
    to.running = true;
    auto const earliest = [](std::optional<seconds>& a, std::optional<seconds> const& b) {
        if (b) a = std::min(a.value_or(*b), *b);
    };
    earliest(to.counters.ended, from.ended);
    earliest(to.counters.begun, from.begun);
}

SONDE_INLINE std::vector<scope_series> series_of(std::vector<rank_counters> const& ranks, change_watch const& changes,
                                                 waiting_watch const& waiting, bool each_rank, std::string const& job) {
    std::vector<scope_series> all;
    for (auto const& r : ranks)
        for (auto const& s : r.scopes) {
            auto labels = "job_id=" + openmetrics_value(job) + ",scope=" + openmetrics_value(s.name);
            if (each_rank) labels += ",rank=" + openmetrics_value(std::to_string(r.rank));
            auto same = std::find_if(all.begin(), all.end(), [&](auto const& a) { return a.labels == labels; });
            if (same == all.end())
                same = all.insert(same, {std::move(labels), {.name = s.name}, false, changes.ratio(s.name)});
            add_counters(*same, s, r.running);
            if (auto const* const known = waiting.of(s.name, r.rank)) {
                same->waiting.waiting += known->waiting;
                same->waiting.examined += known->examined;
            }
        }
    return all;
}

/// A family of metrics: name, type, unit and help, and the value of a scope, if it has one.
struct monitor_family {
    char const* name;
    char const* type;
    char const* unit;
    char const* help;
    std::optional<double> (*value)(scope_series const& s, seconds now);
};

inline constexpr monitor_family monitor_families[] = {
    {"sonde_scope_passes", "counter", "", "Passes that have ended.",
     [](scope_series const& s, seconds) { return std::optional{static_cast<double>(s.counters.passes)}; }},
    {"sonde_scope_seconds", "counter", "seconds", "Time of the passes that have ended.",
     [](scope_series const& s, seconds) { return std::optional{s.counters.time.count()}; }},
    {"sonde_scope_bytes", "counter", "bytes", "Bytes that the passes moved.",
     [](scope_series const& s, seconds) {
         return s.counters.bytes > 0 ? std::optional{s.counters.bytes} : std::nullopt;
     }},
    {"sonde_scope_idle_seconds", "gauge", "seconds", "Time since the last pass ended, of the rank where it is longest.",
     [](scope_series const& s, seconds now) {
         return s.running && s.counters.ended ? std::optional{(now - *s.counters.ended).count()} : std::nullopt;
     }},
    {"sonde_scope_under_way_seconds", "gauge", "seconds",
     "Time since the pass under way began, of the rank where it is longest; 0 if no pass is under way.",
     [](scope_series const& s, seconds now) {
         if (!s.running) return std::optional<double>{};
         return std::optional{s.counters.begun ? (now - *s.counters.begun).count() : 0.};
     }},
    {"sonde_scope_change_ratio", "gauge", "ratio",
     "Time of a pass after the last reported change over the time before, of the rank where it is largest.",
     [](scope_series const& s, seconds) { return std::optional{s.change}; }},
    {"sonde_scope_examined_seconds", "counter", "seconds",
     "Time of the passes of an exchange whose waiting is known: of a fast loop, the last ones of each interval.",
     [](scope_series const& s, seconds) {
         return s.waiting.examined > seconds{} ? std::optional{s.waiting.examined.count()} : std::nullopt;
     }},
    {"sonde_scope_waiting_seconds", "counter", "seconds",
     "Part of the examined time in which a rank waited for a partner on this node to enter the exchange.",
     [](scope_series const& s, seconds) {
         return s.waiting.examined > seconds{} ? std::optional{s.waiting.waiting.count()} : std::nullopt;
     }},
};

SONDE_INLINE std::string header_of(std::string const& name, char const* type, std::string const& unit,
                                   char const* help) {
    return "# TYPE " + name + ' ' + type + '\n' + (unit.empty() ? "" : "# UNIT " + name + ' ' + unit + '\n') +
           "# HELP " + name + ' ' + help + '\n';
}

SONDE_INLINE std::string ranks_text(std::vector<rank_counters> const& ranks, std::string const& job) {
    auto const running = std::count_if(ranks.begin(), ranks.end(), [](auto const& r) { return r.running; });
    auto const gone = static_cast<std::ptrdiff_t>(ranks.size()) - running;
    auto const line = [&](char const* state, std::ptrdiff_t count) {
        return "sonde_ranks{job_id=" + openmetrics_value(job) + ",state=\"" + state + "\"} " + std::to_string(count) +
               '\n';
    };
    return header_of("sonde_ranks", "gauge", "",
                     "Ranks on this node: gone are those whose process ended without an end of its monitor.") +
           line("running", running) + line("gone", gone);
}

SONDE_INLINE std::string left_out_text(std::vector<rank_counters> const& ranks, std::string const& job) {
    std::size_t most = 0;
    for (auto const& r : ranks) most = std::max(most, r.left_out);
    return header_of("sonde_scopes_left_out", "gauge", "",
                     "Scopes of which nothing is shown, because 64 scopes of a rank are; of the rank with most.") +
           "sonde_scopes_left_out{job_id=" + openmetrics_value(job) + "} " + std::to_string(most) + '\n';
}

/// The ranks that were late, and at the detail `rank` what each rank caused.
SONDE_INLINE std::string late_ranks_text(waiting_watch const& waiting, bool each_rank, std::string const& job) {
    auto const labels = [&](int rank) {
        return "{job_id=" + openmetrics_value(job) + ",rank=" + openmetrics_value(std::to_string(rank));
    };
    auto text = header_of("sonde_late_rank_seconds", "gauge", "seconds",
                          "How late a rank of this node reached the exchange in the latest passes, if others waited "
                          "for it: median of its late passes.");
    for (auto const& l : waiting.late())
        text += "sonde_late_rank_seconds" + labels(l.rank) + ",scope=" + openmetrics_value(l.exchange) + "} " +
                shortest(l.lateness.count()) + '\n';
    text += header_of("sonde_caused_waiting_seconds", "counter", "seconds",
                      "Waiting of all ranks of this node in examined passes that a rank caused between exchanges.");
    if (!each_rank) return text;
    for (auto const& [rank, time] : waiting.caused())
        text += "sonde_caused_waiting_seconds_total" + labels(rank) + "} " + shortest(time.count()) + '\n';
    return text;
}

SONDE_INLINE std::string monitor_text(std::vector<rank_counters> const& ranks, change_watch const& changes,
                                      waiting_watch const& waiting, seconds now, monitor_text_options const& options) {
    auto text = ranks_text(ranks, options.job);
    if (options.level == monitor_detail::off) return text + "# EOF\n";
    auto each_rank = options.level == monitor_detail::rank;
    auto all = series_of(ranks, changes, waiting, each_rank, options.job);
    if (each_rank && all.size() * std::size(monitor_families) + ranks.size() > options.max_series) {
        each_rank = false;
        all = series_of(ranks, changes, waiting, false, options.job);
    }
    text += left_out_text(ranks, options.job) + late_ranks_text(waiting, each_rank, options.job);
    for (auto const& f : monitor_families) {
        text += header_of(f.name, f.type, f.unit, f.help);
        auto const name = std::string{f.name} + (std::string_view{f.type} == "counter" ? "_total" : "");
        for (auto const& s : all)
            if (auto const value = f.value(s, now)) text += name + '{' + s.labels + "} " + shortest(*value) + '\n';
    }
    return text + "# EOF\n";
}

} // namespace sonde::detail

#endif
