// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/show/waiting_text.hpp"

#include <sonde/drawing/html_contents.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <cstddef>

namespace tools::replay {

namespace {

constexpr std::size_t most_sites = 10;
constexpr double smallest_shown = 0.001; // share of the time of a call site in the table

std::string share_text(double part, double all) {
    return (all > 0 ? sonde::detail::fixed(100 * part / all, 1) : "0.0") + " %";
}
std::string duration_text(double seconds) { return sonde::detail::time_text(sonde::seconds{seconds}); }

std::string at_site(call_place const& place) { return place.call + (place.site.empty() ? "" : " at " + place.site); }

/// What a rank does longer than the others: its own work, or a transfer, in which others take part.
std::string cause_text(late_cause const& late, double waiting) {
    auto const is_work = late.charge.most.kind == delay_kind::computation;
    auto const rank = "rank " + std::to_string(late.charge.rank), site = at_site(late.place);
    auto const caused = " caused " + sonde::detail::fixed(100 * late.charge.seconds / waiting, 0) + " % of it: it ";
    return (is_work ? "R" + rank.substr(1) + caused + "works " + duration_text(late.seconds) + " before " + site
                    : "The transfer of " + rank + " in " + site + caused + "takes " + duration_text(late.seconds)) +
           "; the ranks' median is " + duration_text(late.median) + '.';
}

/// Who caused the waiting, if anyone did.
std::vector<std::string> causes(loop_waiting const& loop) {
    if (!loop.has_enough_blocks) return {"The passes are too few to name a rank."};
    std::vector<std::string> found;
    for (auto const& late : loop.late)
        if (late.is_named()) found.push_back(cause_text(late, loop.waiting));
    if (!found.empty()) return found;
    if (!loop.late.empty())
        return {"Nobody works longer: transfers that take longer at times cause it, as where ranks share processors."};
    if (loop.charged < loop.waiting / 2)
        return {
            "Nobody is late for most of it: ranks wait by the order of their calls, by the order in which they leave "
            "collectives, or because of what is before these passes."};
    return {"No rank stands out: another rank is late in each part of the loop."};
}

bool is_shown(site_waiting const& site, double all) {
    return std::max(site.all_waiting(), site.charged) >= smallest_shown * all;
}

} // namespace

std::string waiting_title(loop_waiting const& loop) {
    auto const kept = loop.kept == 0 || loop.kept == loop.passes ? "" : std::to_string(loop.kept) + " of ";
    return "phase " + std::to_string(loop.phase + 1) + ", " + kept + count_text(loop.passes, "pass");
}

std::vector<std::string> waiting_sentences(loop_waiting const& loop) {
    if (!loop.fault.empty()) return {"Not known: " + loop.fault + '.'};
    std::vector<std::string> found{"Waiting is below 1 % of the loop."};
    if (!loop.is_slight()) {
        found = causes(loop);
        found.insert(found.begin(), "Ranks waited " + share_text(loop.waiting, loop.seconds) + " of the loop.");
    }
    if (loop.error > 0)
        found.push_back("Shorter waits than " + duration_text(loop.error) +
                        ", the error of the ranks' clocks, count as transfer.");
    if (loop.left_out > 0)
        found.push_back(sonde::detail::fixed(loop.left_out, 0) +
                        " messages are left out: of receives from any source or of any tag, or completed by "
                        "MPI_Waitany or the like.");
    return found;
}

std::vector<cells> waiting_table(loop_waiting const& loop) {
    std::vector<std::size_t> patterns; // that there are
    for (std::size_t i = 0; i != wait_patterns; ++i) {
        double sum = 0;
        for (auto const& site : loop.sites) sum += site.waiting[i];
        if (sum >= smallest_shown * loop.seconds) patterns.push_back(i);
    }
    std::vector<cells> table{{"call", "time", "waiting"}};
    for (auto const i : patterns) table[0].push_back(name_of(static_cast<wait_pattern>(i)));
    table[0].insert(table[0].end(), {"caused", "call site"});
    for (auto const& site : loop.sites) {
        if (loop.is_slight() || !is_shown(site, loop.seconds) || table.size() > most_sites) continue;
        auto const share = [&](double part) { return part > 0 ? share_text(part, loop.seconds) : "-"; };
        cells row{site.call, share(site.seconds), share(site.all_waiting())};
        for (auto const i : patterns) row.push_back(share(site.waiting[i]));
        row.insert(row.end(), {share(site.charged), site.site});
        table.push_back(std::move(row));
    }
    return table;
}

std::string waiting_text(trace_waiting const& w) {
    if (!w.fault.empty()) return "\nWaiting is not known: " + w.fault + ".\n";
    std::string text;
    for (auto const& loop : w.loops) {
        text += "\nWaiting in " + waiting_title(loop) + '\n';
        for (auto const& sentence : waiting_sentences(loop)) text += sentence + '\n';
        auto const table = waiting_table(loop);
        if (table.size() > 1)
            for (auto const& line : aligned(table, {.first = true, .last = true})) text += line + '\n';
    }
    return text;
}

} // namespace tools::replay
