// SPDX-License-Identifier: BSL-1.0
#include "tools/compare/comparison.hpp"

#include "tools/compare/matched_rows.hpp"
#include "tools/compare/row_text.hpp"
#include "tools/text.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tools {

namespace {

bool can_be_tested(comparison const& r) { return std::min(r.before.launches, r.after.launches) > 1; }

void test(std::vector<comparison>& rows) {
    std::vector<double> p;
    for (auto const& r : rows)
        if (can_be_tested(r)) p.push_back(rank_sum_p(r.of.before.medians, r.of.after.medians));
    auto const corrected = holm(p);
    auto next = corrected.begin();
    for (auto& r : rows)
        if (can_be_tested(r)) r.p = *next++;
}

sonde::outcome outcome_of(comparison const& r, criteria const& required) {
    auto const resolution = std::max(r.of.before.resolution, r.of.after.resolution);
    if (!r.p || *r.p > required.alpha) return sonde::outcome::undecided;
    if (!is_relevant(r.before.median, r.after.median, resolution, required.effect)) return sonde::outcome::undecided;
    return r.after.median > r.before.median ? sonde::outcome::slower : sonde::outcome::faster;
}

} // namespace

bool is_relevant(sonde::seconds a, sonde::seconds b, sonde::seconds resolution, double effect) {
    auto const [shorter, longer] = std::minmax(a, b);
    // A difference of one tick, or of one unit of the last printed digit, is ignored: the times may be nearly equal.
    return longer >= shorter * (1 + effect) && longer - shorter > 1.001 * resolution;
}

std::vector<comparison> compare(std::vector<row> const& rows, criteria const& required) {
    std::vector<comparison> all;
    for (auto const& r : rows)
        if (!r.before.medians.empty() && !r.after.medians.empty())
            all.push_back({r, summarize(r.before), summarize(r.after), {}, sonde::outcome::undecided});
    test(all);
    for (auto& r : all) r.outcome = outcome_of(r, required);
    return all;
}

std::optional<std::size_t> launches_to_decide(std::vector<comparison> const& rows, double alpha) {
    std::size_t tested = 0;
    double smallest = 1;
    for (auto const& r : rows) {
        if (!can_be_tested(r)) continue;
        ++tested;
        smallest = std::min(smallest, smallest_p(r.before.launches, r.after.launches));
    }
    if (tested == 0 || smallest <= alpha / static_cast<double>(tested)) return std::nullopt;
    return launches_needed(tested, alpha);
}

namespace {

/// Command to launch a program again. Only `sonde-launch` records the whole command; the arguments that a program gets
/// do not contain its launcher. A command with control characters is not printed.
std::string command_to_repeat(launch_set const& set) {
    for (auto const& run : set.runs)
        if (run.launch && sonde::detail::plain_text(run.launch->command) == run.launch->command)
            return run.launch->command;
    return "COMMAND";
}

std::string launch_line(launch_set const& set) {
    return "  sonde-launch -n " + std::to_string(2 * set.runs.size()) + " --append --out " +
           sonde::detail::shell_word(set.path) + " -- " + command_to_repeat(set);
}

/// The launches of a log are not those of `sonde-launch`, and nothing is appended to a log.
std::vector<std::string> advice_for_logs(launch_set const& before, launch_set const& after) {
    return {"Before you believe it, measure both sides again, twice as often, with the output in new files:",
            "  " + before.path + ": run its program " + count_text(2 * before.runs.size(), "time") + " or more",
            "  " + after.path + ": run its program " + count_text(2 * after.runs.size(), "time") + " or more",
            "Then compare the new files."};
}

} // namespace

std::vector<std::string> advice(launch_set const& before, launch_set const& after, bool despite_differences) {
    if (before.is_text || after.is_text) return advice_for_logs(before, after);
    auto const same = command_to_repeat(before) == command_to_repeat(after);
    return {"Before you believe it, measure both sides again, twice as often, and judge those rows by all launches:",
            launch_line(before) + (same ? "   # with the installation and the environment of the old side" : ""),
            launch_line(after) + (same ? "   # with the installation and the environment of the new side" : ""),
            std::string{"  sonde-compare "} + (despite_differences ? "--despite-differences " : "") +
                sonde::detail::shell_word(before.path) + ' ' + sonde::detail::shell_word(after.path)};
}

namespace {

using sonde::detail::fixed;

std::string percent(double part) { return fixed(100 * part, 1) + " %"; }

void add_side(cells& line, summary const& s) {
    time_scale const scale{s.median};
    line.push_back(scale.number_and_unit(s.median));
    line.push_back(interval_text(s.interval, [&](sonde::seconds t) { return scale.number(t); }));
    line.push_back(percent(s.within));
    line.push_back(s.between ? percent(*s.between) : "-");
}

cells line_of(comparison const& r, setting_names const& names) {
    auto line = names.values_in(settings_of(r.of.at, r.of.occurrence));
    add_side(line, r.before);
    add_side(line, r.after);
    line.push_back(r.ratio() ? fixed(*r.ratio(), 3) : "-");
    line.push_back(probability(r.p));
    line.push_back(to_string(r.outcome));
    return line;
}

cells titles(cells varying) {
    for (auto const* const side : {"old", "new"})
        for (auto const* const title : {side, "[95 %]", "within", "between"}) varying.emplace_back(title);
    for (auto const* const title : {"new/old", "p", "outcome"}) varying.emplace_back(title);
    return varying;
}

} // namespace

std::vector<std::string> comparison_table(std::vector<comparison> const& rows) {
    std::vector<settings> all;
    for (auto const& r : rows) all.push_back(settings_of(r.of.at, r.of.occurrence));
    setting_names const names{all};
    std::vector<cells> table{titles(names.varying)};
    for (auto const& r : rows) table.push_back(line_of(r, names));
    auto lines = aligned(table, {.first = true, .last = true});
    if (auto common = names.common_line(all.front()); !common.empty()) lines.insert(lines.begin(), std::move(common));
    return lines;
}

} // namespace tools
