// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/show/waiting_text.hpp"

#include <sonde/lateness/sentences.hpp>
#include <sonde/report/lateness_table.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <cstddef>

namespace tools::replay {

namespace {

constexpr std::size_t most_sites = 10, most_late = 8;
constexpr double smallest_shown = 0.001; // share of the time of an exchange in the table

std::string share_text(sonde::seconds part, sonde::seconds all) {
    return sonde::seconds{} < part ? sonde::detail::fixed(100 * (part / all), 1) + " %" : "-";
}

std::string table_text(std::vector<cells> const& table, left_aligned left) {
    std::string text;
    if (table.size() > 1)
        for (auto const& line : aligned(table, left)) text += line + '\n';
    return text;
}

} // namespace

std::string waiting_title(loop_waiting const& loop) {
    auto const kept = loop.kept == loop.passes ? "" : std::to_string(loop.kept) + " of ";
    return "phase " + std::to_string(loop.phase + 1) + ", " + kept + count_text(loop.passes, "pass");
}

std::vector<cells> waiting_table(loop_waiting const& loop) {
    auto const all = loop.lateness.observed;
    std::vector<std::size_t> patterns; // that there are
    for (std::size_t i = 0; i != wait_patterns; ++i) {
        sonde::seconds sum{};
        for (auto const& site : loop.sites) sum += site.waiting[i];
        if (smallest_shown * all < sum) patterns.push_back(i);
    }
    std::vector<cells> table{{"call", "time", "waiting"}};
    for (auto const i : patterns) table[0].push_back(name_of(static_cast<wait_pattern>(i)));
    table[0].insert(table[0].end(), {"caused", "call site"});
    for (auto const& site : loop.sites) {
        auto const is_slight = std::max(site.all_waiting(), site.caused) < smallest_shown * all;
        if (patterns.empty() || is_slight || table.size() > most_sites) continue;
        cells row{site.call, share_text(site.time, all), share_text(site.all_waiting(), all)};
        for (auto const i : patterns) row.push_back(share_text(site.waiting[i], all));
        row.insert(row.end(), {share_text(site.caused, all), site.site});
        table.push_back(std::move(row));
    }
    return table;
}

std::vector<cells> late_table(loop_waiting const& loop) { return sonde::detail::rank_rows(loop.lateness, most_late); }

std::string waiting_text(trace_waiting const& w) {
    if (!w.fault.empty()) return "\nWaiting is not known: " + w.fault + ".\n";
    std::string text;
    for (auto const& loop : w.loops) {
        text += "\nWaiting in " + waiting_title(loop) + '\n';
        for (auto const& sentence : sonde::sentences(loop.lateness)) text += sentence + '\n';
        text += table_text(waiting_table(loop), {.first = true, .last = true});
        text += table_text(late_table(loop), {.first = true});
    }
    return text;
}

} // namespace tools::replay
