// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/show/profile_text.hpp"

#include "tools/replay/show/profile.hpp"
#include "tools/replay/show/waiting_text.hpp"
#include "tools/text.hpp"

#include <sonde/report/text.hpp>

#include <algorithm>
#include <cmath>

namespace tools::replay {

namespace {

constexpr std::size_t most_rows = 40;  // of call sites
constexpr int most_ranks = 16;         // of a matrix as text
constexpr std::size_t most_pairs = 10; // in place of a larger matrix

std::string whole(double n) { return sonde::detail::fixed(n, 0); }
std::string percent(double part, double all) {
    return all > 0 ? sonde::detail::fixed(100 * part / all, 1) + " %" : "-";
}
std::string seconds(double t) { return sonde::detail::fixed(t, 6); }
std::string mean_microseconds(call_totals const& t) { return sonde::detail::fixed(t.seconds / t.calls * 1e6, 2); }

void add_table(std::string& text, std::string const& title, std::vector<cells> const& table, left_aligned left) {
    text += '\n' + title + '\n';
    for (auto const& line : aligned(table, left)) text += line + '\n';
}

std::vector<cells> phase_table(profile const& p) {
    std::vector<cells> table{{"phase", "calls", "bytes sent", "MPI (s)", "share", "between (s)"}};
    for (std::size_t i = 0; i != p.phases.size(); ++i) {
        auto const& row = p.phases[i];
        if (row.totals.calls == 0) continue; // nothing is before the first loop
        table.push_back({phase_text(p, i), whole(row.totals.calls), whole(row.totals.bytes),
                         seconds(row.totals.seconds), percent(row.totals.seconds, p.in_calls), seconds(row.think)});
    }
    return table;
}

std::vector<cells> call_table(profile const& p) {
    std::vector<cells> table{{"call", "calls", "bytes sent", "pairs", "mean (us)", "MPI (s)", "share",
                              "slowest rank (s)", "phase", "call site"}};
    for (std::size_t i = 0; i != std::min(p.calls.size(), most_rows); ++i) {
        auto const& row = p.calls[i];
        table.push_back({row.call, whole(row.totals.calls), whole(row.totals.bytes),
                         std::to_string(row.partners.size()), mean_microseconds(row.totals),
                         seconds(row.totals.seconds), percent(row.totals.seconds, p.in_calls),
                         seconds(row.slowest_rank), std::to_string(row.phase + 1), row.site});
    }
    return table;
}

std::vector<cells> matrix_of(trace const& t, profile const& p, double pair_totals::*which) {
    std::vector<cells> table{{"from \\ to"}};
    for (int to = 0; to != t.about.ranks; ++to) table[0].push_back(std::to_string(to));
    for (int from = 0; from != t.about.ranks; ++from) {
        cells line{std::to_string(from)};
        for (int to = 0; to != t.about.ranks; ++to) {
            auto const found = p.pairs.find({from, to});
            line.push_back(found == p.pairs.end() ? "-" : whole(found->second.*which));
        }
        table.push_back(line);
    }
    return table;
}

std::vector<cells> pair_table(profile const& p) {
    std::vector<std::pair<std::pair<int, int>, pair_totals>> all(p.pairs.begin(), p.pairs.end());
    std::stable_sort(all.begin(), all.end(),
                     [](auto const& a, auto const& b) { return a.second.bytes > b.second.bytes; });
    all.resize(std::min(all.size(), most_pairs));
    std::vector<cells> table{{"from", "to", "messages", "bytes"}};
    for (auto const& [ranks, sum] : all)
        table.push_back(
            {std::to_string(ranks.first), std::to_string(ranks.second), whole(sum.messages), whole(sum.bytes)});
    return table;
}

std::vector<cells> size_table(profile const& p) {
    double all = 0, largest = 0;
    for (auto const& [bits, n] : p.message_sizes) {
        all += n;
        largest = std::max(largest, n);
    }
    std::vector<cells> table{{"bytes", "messages", "share", ""}};
    for (auto const& [bits, n] : p.message_sizes) {
        auto const first = bits == 0 ? 0 : std::uint64_t{1} << (bits - 1);
        auto const range =
            bits < 2 ? std::to_string(first) : std::to_string(first) + " to " + std::to_string((first << 1) - 1);
        table.push_back({range, whole(n), percent(n, all),
                         std::string(static_cast<std::size_t>(std::ceil(40 * n / largest)), '#')});
    }
    return table;
}

} // namespace

std::string summary_text(trace const& t, profile const& p) {
    auto text = "# Trace of " + count_text(static_cast<std::size_t>(t.about.ranks), "rank") + ", " + t.about.library +
                ": " + t.about.command + '\n';
    if (p.ranks != t.about.ranks)
        text += "# " + count_text(static_cast<std::size_t>(p.ranks), "rank") + " of them recorded\n";
    text += "# " + seconds(p.seconds) + " s recorded; " + percent(p.in_calls, p.in_calls + p.between_calls) +
            " of the ranks' time is in MPI\n";
    if (t.crowded()) text += "# Ranks share processors: a rank that waits for one is late, too\n";
    for (auto const& remark : t.remarks) text += "# " + remark + '\n';
    if (p.dropped != 0)
        text += "# " + std::to_string(p.dropped) + " calls are missing: the recorder's memory was full\n";
    for (auto const& [call, n] : p.not_recorded)
        text += "# " + count_text(n, "call") + " of MPI_" + call + " counted, not recorded\n";
    return text;
}

std::string profile_text(trace const& t, profile const& p, trace_waiting const& w) {
    auto text = summary_text(t, p);
    if (p.calls.empty()) return text + "No call is recorded.\n";
    add_table(text, "Phases: each loop that is in no other one, with the calls behind it", phase_table(p),
              {.first = true});
    text += waiting_text(w);
    add_table(text, "Calls, the longest time of all ranks first", call_table(p), {.first = true, .last = true});
    if (p.calls.size() > most_rows) text += "... and " + std::to_string(p.calls.size() - most_rows) + " more\n";
    if (p.pairs.empty()) return text;
    if (t.about.ranks <= most_ranks) {
        add_table(text, "Bytes of messages", matrix_of(t, p, &pair_totals::bytes), {});
        add_table(text, "Messages", matrix_of(t, p, &pair_totals::messages), {});
    } else {
        add_table(text, "Pairs with the most bytes, of " + std::to_string(p.pairs.size()), pair_table(p), {});
    }
    add_table(text, "Sizes of messages", size_table(p), {.last = true});
    return text;
}

} // namespace tools::replay
