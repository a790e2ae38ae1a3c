// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/assess/assessment_text.hpp"

#include "tools/replay/assess/assessment.hpp"
#include "tools/text.hpp"

#include <sonde/report/text.hpp>

#include <algorithm>
#include <cmath>

namespace tools::replay {

namespace {

constexpr std::size_t most_sites = 3; // where most can be won

std::string digits(double x, int decimals) { return sonde::detail::fixed(x, decimals); }
std::string microsecond_text(double t) { return digits(t * 1e6, 2); }
std::string share_text(double part, double all) { return all > 0 ? digits(100 * part / all, 1) + " %" : "-"; }

/// "MPI_Allreduce, if ...".
std::string name_text(measured_alternative const& one) {
    return one.name + (one.condition.empty() ? "" : ", if " + one.condition);
}

cells assessment_row(assessment const& a, assessed_trace const& in) {
    auto const* const best = best_of(a);
    auto const bound = bound_efficiency(a);
    auto const decided = a.alternatives.empty() ? "no alternative" : "nothing surely better";
    return {a.call,
            a.phase,
            digits(a.times, 0),
            share_text(a.total_seconds, in.run_seconds),
            microsecond_text(a.median_seconds),
            microsecond_text(waiting_seconds(a)),
            microsecond_text(a.alone_seconds),
            a.bound_seconds ? microsecond_text(*a.bound_seconds) : "-",
            bound ? digits(*bound, 2) : "-",
            best == nullptr ? "-" : microsecond_text(best->seconds),
            best == nullptr ? "-" : digits(efficiency(a), 2),
            a.site,
            best == nullptr ? decided : best->name};
}

std::string way_line(measured_alternative const& way) {
    return "   by " + way.name + ": " + digits(way.speedup, 2) + " [" + digits(way.interval->low, 2) + ", " +
           digits(way.interval->high, 2) + "] times as fast" + (way.condition.empty() ? "" : ", if " + way.condition) +
           '\n';
}

std::string site_lines(std::size_t number, assessment const& a, assessed_trace const& in) {
    auto const won = can_be_won(a);
    auto const share = [&](double t) { return digits(100 * t / in.run_seconds, 1); };
    auto text = std::to_string(number) + ". " + a.call + " at " + a.site + ", " + a.phase + ": " +
                digits(won.seconds, 6) + " s [" + digits(won.low, 6) + ", " + digits(won.high, 6) + "]";
    if (in.run_seconds > 0)
        text += ", " + share(won.seconds) + " % [" + share(won.low) + ", " + share(won.high) + "] of the run time";
    text += '\n';
    for (auto const* const way : best_of_conditions(a)) text += way_line(*way);
    return text;
}

std::string winners_text(assessed_trace const& all) {
    std::string text = "\nWhere most can be won\n";
    std::size_t number = 0;
    for (auto const& a : all.operations)
        if (number != most_sites && best_of(a) != nullptr) text += site_lines(++number, a, all);
    return number == 0 ? text + "Nothing surely better was found at any call site.\n" : text;
}

void add_lines(std::string& text, std::vector<cells> const& table, left_aligned left) {
    for (auto const& line : aligned(table, left)) text += line + '\n';
}

std::string alternatives_text(assessed_trace const& all) {
    std::vector<cells> table{{"call", "phase", "median (us)", "speed-up", "[all together]", "alternative"}};
    for (auto const& a : all.operations)
        for (auto const& one : a.alternatives)
            table.push_back(
                {a.call, a.phase, microsecond_text(one.seconds), digits(one.speedup, 2),
                 one.interval ? '[' + digits(one.interval->low, 2) + ", " + digits(one.interval->high, 2) + ']' : "-",
                 name_text(one) + ": " + one.outcome_text});
    if (table.size() == 1) return "";
    std::string text = "\nAlternatives of each call site: speed-up over the way of the application\n";
    add_lines(text, table, {.first = true, .last = true});
    return text;
}

} // namespace

std::string assessment_text(assessed_trace const& all) {
    auto text = "# " + all.command + " on " + count_text(static_cast<std::size_t>(all.ranks), "rank") + ", " +
                digits(all.run_seconds, 6) + " s recorded\n# Model: " + all.machine + "\n# Faster: by more than " +
                digits(100 * all.gain, 1) + " %, at " + digits(100 * all.confidence, 1) +
                " % for all alternatives of all sites\n";
    for (auto const& remark : all.remarks) text += "# " + remark + '\n';
    if (all.left_out != 0)
        text += "# " + count_text(all.left_out, "call site") + " with a smaller share of the run time left out\n";
    if (all.operations.empty()) return text + "No call site has the share of the run time that --share asks for.\n";
    text += "\nCall sites, in us of one operation: then, in the application; waiting, the part of it for which ranks "
            "waited;\nalone, replayed when all ranks begin together; bound, by the model; best, of the alternatives\n";
    std::vector<cells> table{{"call", "phase", "times", "share", "then", "waiting", "alone", "bound", "bound/alone",
                              "best", "best/alone", "call site", "best way"}};
    for (auto const& a : all.operations) table.push_back(assessment_row(a, all));
    add_lines(text, table, {.first = true, .last = true});
    for (auto const& a : all.operations)
        for (auto const& remark : a.remarks) text += "# " + a.call + ", " + a.phase + ": " + remark + '\n';
    return text + winners_text(all) + alternatives_text(all);
}

} // namespace tools::replay
