// SPDX-License-Identifier: BSL-1.0
#include "tools/map/map_findings.hpp"

#include "suite/values.hpp"
#include "tools/map/sonde_map.hpp"
#include "tools/text.hpp"

#include <sonde/map/residuals.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace tools::map {

namespace {

using sonde::suspect;
using sonde::suspect_direction;
using sonde::suspect_kind;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// True if the better end of the interval is worse than expected.
bool is_unexpected(measured_map const& m, map_options const& options, place_pair p) {
    auto const low = m.times.low.at(p.from, p.to), median = m.times.median.at(p.from, p.to);
    if (!(median > sonde::seconds{0})) return false;
    auto const value = value_of(m, low > sonde::seconds{0} ? low : median);
    return m.task.metric == map_metric::latency ? options.max_latency && value > *options.max_latency
                                                : options.min_bandwidth && value < *options.min_bandwidth;
}

bool has_several_nodes(map_result const& result) {
    return !result.node_of_place.empty() &&
           *std::max_element(result.node_of_place.begin(), result.node_of_place.end()) > 0;
}

std::string listed_names(std::vector<std::string> const& names) {
    auto const n = names.size();
    if (n <= 4) return sonde::detail::joined(names, ", ");
    return names.front() + " .. " + names.back() + " (" + std::to_string(n) + ")";
}

std::string group_text(map_result const& result, std::vector<int> const& groups, int group) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i != groups.size(); ++i)
        if (groups[i] == group) names.push_back(result.places[i]);
    return listed_names(names);
}

/// The shortest time of the pairs of each place, in both directions; 0 without one.
std::vector<sonde::seconds> best_times(measured_map const& m) {
    std::vector<sonde::seconds> best(static_cast<std::size_t>(m.times.median.ranks));
    for (int a = 0; a < m.times.median.ranks; ++a)
        for (int b = 0; b < m.times.median.ranks; ++b) {
            auto const t = m.times.median.at(a, b);
            if (!(t > sonde::seconds{})) continue;
            for (auto const place : {index(a), index(b)})
                if (best[place] == sonde::seconds{} || t < best[place]) best[place] = t;
        }
    return best;
}

} // namespace

double value_of(measured_map const& m, sonde::seconds iteration) {
    auto const value = m.task.metric == map_metric::latency
                           ? iteration.count() / 2 * 1e6
                           : static_cast<double>(m.task.bytes * m.window) / iteration.count() / 1e6;
    auto const digits = sonde::detail::number_text(value, std::chars_format::general, 15);
    return suite::number<double>(digits, 0, std::numeric_limits<double>::max()).value_or(value);
}

std::string title_of(measured_map const& m) {
    auto const metric = m.task.metric == map_metric::latency ? "latency" : "bandwidth";
    return std::string{metric} + " of " + std::to_string(m.task.bytes) + " bytes";
}

std::vector<map_findings> evaluate(map_result const& result, map_options const& options) {
    std::vector<map_findings> all;
    auto const of_nodes = options.per == place_kind::rank && has_several_nodes(result);
    sonde::suspect_options const how{options.false_alarms / static_cast<double>(result.maps.size()), options.factor};
    for (auto const& m : result.maps) {
        auto& v = all.emplace_back();
        v.groups = of_nodes ? result.node_of_place : sonde::find_rank_groups(m.times.median);
        v.suspects = sonde::find_suspects(m.times.median, v.groups, how);
        for (int from = 0; from != m.times.median.ranks; ++from)
            for (int to = 0; to != m.times.median.ranks; ++to)
                if (is_unexpected(m, options, {from, to})) v.unexpected.push_back({from, to});
    }
    return all;
}

bool nothing_found(std::vector<map_findings> const& findings) {
    return std::all_of(findings.begin(), findings.end(),
                       [](map_findings const& v) { return v.suspects.empty() && v.unexpected.empty(); });
}

std::string text_of(suspect const& s, map_result const& result, map_findings const& of) {
    auto const factor = sonde::detail::fixed(s.factor, 2) + " times the usual time";
    if (s.kind == suspect_kind::rank) {
        constexpr char const* ways[] = {"from it and to it", "from it", "to it"};
        return result.places[index(s.rank)] + ": messages " + ways[static_cast<std::size_t>(s.direction)] + " take " +
               factor;
    }
    auto const name = [&](int i) {
        return s.kind == suspect_kind::pair ? result.places[index(i)] : group_text(result, of.groups, i);
    };
    auto const both = s.direction == suspect_direction::both;
    return (s.kind == suspect_kind::pair ? "" : "between groups: ") + name(s.rank) + (both ? " <-> " : " -> ") +
           name(s.peer) + ": " + (both ? "both directions take " : "takes ") + factor;
}

namespace {

constexpr std::size_t listed = 20; // of suspects or pairs of a map

std::string count_of_more(std::size_t all) {
    return all <= listed ? "" : "  and " + std::to_string(all - listed) + " more, see --json, --csv or --html\n";
}

std::string suspect_lines(map_result const& result, map_options const& options,
                          std::vector<map_findings> const& findings) {
    std::string text;
    for (std::size_t i = 0; i != findings.size(); ++i) {
        auto const& m = result.maps[i];
        auto const& v = findings[i];
        if (!v.suspects.empty()) text += "Slow by " + title_of(m) + ":\n";
        for (std::size_t k = 0; k != std::min(listed, v.suspects.size()); ++k)
            text += "  " + text_of(v.suspects[k], result, v) + '\n';
        text += count_of_more(v.suspects.size());
        if (v.unexpected.empty()) continue;
        auto const is_latency = m.task.metric == map_metric::latency;
        text += "Worse than --expect by " + title_of(m) + ", " +
                sonde::detail::shortest(is_latency ? *options.max_latency : *options.min_bandwidth) +
                (is_latency ? " us:\n" : " MB/s:\n");
        for (std::size_t k = 0; k != std::min(listed, v.unexpected.size()); ++k) {
            auto const [from, to] = v.unexpected[k];
            text += "  " + result.places[index(from)] + " -> " + result.places[index(to)] + ": " +
                    sonde::detail::fixed(value_of(m, m.times.median.at(from, to)), 2) + '\n';
        }
        text += count_of_more(v.unexpected.size());
    }
    return text;
}

/// A line for each map and class of pairs.
std::vector<cells> summary(map_result const& result, std::vector<map_findings> const& findings) {
    std::vector<cells> table{{"metric", "pairs", "number", "median", "best", "worst", "worst pair"}};
    for (std::size_t i = 0; i != findings.size(); ++i) {
        auto const& m = result.maps[i];
        auto const& groups = findings[i].groups;
        auto const several = std::any_of(groups.begin(), groups.end(), [](int g) { return g > 0; });
        auto const unit = m.task.metric == map_metric::latency ? " us" : " MB/s";
        for (auto const within : {true, false}) {
            std::vector<std::pair<double, place_pair>> times;
            for (int a = 0; a < m.times.median.ranks; ++a)
                for (int b = 0; b < m.times.median.ranks; ++b)
                    if (auto const t = m.times.median.at(a, b).count();
                        t > 0 && (groups[index(a)] == groups[index(b)]) == within)
                        times.push_back({t, {a, b}});
            if (times.empty()) continue;
            std::sort(times.begin(), times.end(), [](auto const& x, auto const& y) { return x.first < y.first; });
            auto const text = [&](double t) { return sonde::detail::fixed(value_of(m, sonde::seconds{t}), 2); };
            auto const& worst = times.back().second;
            table.push_back({title_of(m),
                             !several ? "all"
                             : within ? "within groups"
                                      : "between groups",
                             std::to_string(times.size()), text(times[times.size() / 2].first) + unit,
                             text(times.front().first), text(times.back().first),
                             result.places[index(worst.from)] + " -> " + result.places[index(worst.to)]});
        }
    }
    return table;
}

std::string group_lines(map_result const& result, std::vector<map_findings> const& findings) {
    std::string text;
    for (std::size_t i = 0; i != findings.size(); ++i) {
        auto const& groups = findings[i].groups;
        auto const count = groups.empty() ? 0 : *std::max_element(groups.begin(), groups.end()) + 1;
        if (count < 2) continue;
        text += "# Groups by " + title_of(result.maps[i]) + ':';
        constexpr int shown = 8;
        for (int g = 0; g != std::min(count, shown); ++g) text += (g == 0 ? " " : "; ") + group_text(result, groups, g);
        text += count > shown ? "; and " + std::to_string(count - shown) + " more\n" : "\n";
    }
    return text;
}

/// What --check-bits found.
std::string bit_lines(map_result const& result) {
    if (!result.bits) return {};
    auto text = result.bits->sentence + ".\n";
    for (auto const& word : result.bits->words) text += "  " + word + '\n';
    return text;
}

/// What --expect-device found.
std::string device_lines(map_result const& result) {
    if (!result.transport) return {};
    auto const& [carried, statements, unexpected] = *result.transport;
    auto text = unexpected ? *unexpected + ".\n" : "Carried: " + carried + ".\n";
    for (auto const& sentence : statements) text += "  " + sentence + '\n';
    return text;
}

std::string remarks(map_result const& result, map_options const& options) {
    std::string text;
    if (result.places.size() < 4) text += "# Fewer than four places: none can be told to be slower than the others.\n";
    if (result.oversubscribed)
        text +=
            "# More ranks than processors: ranks wait for each other's time slices, and what is named may be such a "
            "wait.\n";
    if (options.quick)
        text += "# --quick: a slow pair of two good places is found only if it was measured; a slow place is found.\n";
    if (options.mode != map_mode::apart)
        text += "# Pairs were measured at the same time and may have shared links: --mode apart shows them alone.\n";
    return text;
}

} // namespace

bool bits_are_right(map_result const& result) { return !result.bits || result.bits->found.wrong == 0; }

bool device_is_right(map_result const& result) { return !result.transport || !result.transport->unexpected; }

std::vector<std::string> slow_at_best(map_result const& result) {
    constexpr double least = 2;
    std::vector<std::string> lines;
    for (auto const& m : result.maps) {
        auto const best = best_times(m);
        auto measured = best;
        std::erase(measured, sonde::seconds{});
        if (measured.size() < 4) continue;
        std::sort(measured.begin(), measured.end());
        auto const usual = measured[(measured.size() - 1) / 2];
        std::vector<std::string> names;
        double factor = 1;
        for (std::size_t i = 0; i != best.size(); ++i)
            if (best[i] >= least * usual) {
                factor = names.empty() ? best[i] / usual : std::min(factor, best[i] / usual);
                names.push_back(result.places[i]);
            }
        if (names.empty()) continue;
        lines.push_back("even the best pairs of " + listed_names(names) + " take " + sonde::detail::fixed(factor, 2) +
                        " times as long as those of most places, by " + title_of(m));
    }
    return lines;
}

std::string report_text(map_result const& result, map_options const& options,
                        std::vector<map_findings> const& findings) {
    auto text = suspect_lines(result, options, findings);
    if (text.empty()) {
        text = result.places.size() < 4 ? "Nothing is named.\n" : "Nothing is slower than most.\n";
        for (auto const& line : slow_at_best(result)) text += "But " + line + ".\n";
    }
    text = device_lines(result) + bit_lines(result) + text + '\n';
    for (auto const& line : aligned(summary(result, findings), {.first = true, .last = true})) text += line + '\n';
    auto const notes = group_lines(result, findings) + remarks(result, options);
    return notes.empty() ? text : text + '\n' + notes;
}

} // namespace tools::map
