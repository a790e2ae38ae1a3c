// SPDX-License-Identifier: BSL-1.0
#include "tools/tune/tune_text.hpp"

#include "tools/text.hpp"
#include "tools/tune/tuning.hpp"

#include <sonde/measure/environment.hpp>
#include <sonde/report/text.hpp>
#include <sonde/version.hpp>

#include <algorithm>
#include <cmath>
#include <ctime>

namespace tools::tune {

namespace {

using sonde::detail::fixed;

std::string microseconds(double t) { return fixed(t * 1e6, 2); }

std::string probability_text(double p) { return p < 0.0001 ? "<0.0001" : fixed(p, 4); }

bool is_common(std::string const& part, std::vector<tuned_row> const& rows) {
    return rows.size() > 1 && std::all_of(rows.begin(), rows.end(), [&](auto const& row) {
               return std::find(row.parts.begin(), row.parts.end(), part) != row.parts.end();
           });
}

/// Name without the parts that all rows have.
std::string short_name(tuned_row const& row, std::vector<tuned_row> const& rows) {
    cells own;
    for (auto const& part : row.parts)
        if (!is_common(part, rows)) own.push_back(part);
    return sonde::detail::joined(own, " ");
}

/// Row with the lowest ratio of a racer's times to those of the default, over the rounds of both.
std::size_t best_row(racer const& first, racer const& other) {
    std::size_t best = 0;
    for (std::size_t row = 1; row != other.times.size(); ++row)
        if (mean_log_ratio(other.times[row], first.times[row]) < mean_log_ratio(other.times[best], first.times[best]))
            best = row;
    return best;
}

std::string end_of(racer const& r, std::vector<gain> const& gains, race_criteria const& criteria) {
    if (!r.is_racing) return r.reason;
    auto const count = [&](auto const& holds) {
        return std::count_if(gains.begin(), gains.end(), [&](auto const& g) { return holds(g, criteria); });
    };
    auto const faster = count(is_promising), slower = count(may_be_slower);
    if (faster == 0) return "no sure gain";
    auto const text = "faster in " + std::to_string(faster) + " of " + count_text(gains.size(), "row");
    return slower == 0 ? text : text + ", maybe slower in " + std::to_string(slower);
}

/// "2026-01-31", UTC.
std::string today() {
    auto const now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[16] = "";
    return {text, std::strftime(text, sizeof text, "%Y-%m-%d", &parts)};
}

} // namespace

std::string common_parts(std::vector<tuned_row> const& rows) {
    cells common;
    for (auto const& part : rows.front().parts)
        if (is_common(part, rows)) common.push_back(part);
    return sonde::detail::joined(common, " ");
}

std::vector<std::string> race_results(race_result const& r, race_criteria const& criteria) {
    std::vector<std::string> results;
    auto const gains = gains_of(r.racers, criteria);
    for (std::size_t i = 1; i != r.racers.size(); ++i) results.push_back(end_of(r.racers[i], gains[i], criteria));
    return results;
}

std::vector<std::string> race_table(race_result const& r, std::vector<tuned_row> const& rows,
                                    race_criteria const& criteria) {
    std::vector<cells> table{{"candidate", "launches", "best row", "time/default", "result"}};
    auto const results = race_results(r, criteria);
    for (std::size_t i = 1; i != r.racers.size(); ++i) {
        auto const& racer = r.racers[i];
        cells line{r.candidates[i - 1].text(), std::to_string(racer.rounds()), "-", "-"};
        if (racer.rounds() != 0) {
            auto const best = best_row(r.racers.front(), racer);
            line[2] = short_name(rows[best], rows);
            line[3] = fixed(std::exp(mean_log_ratio(racer.times[best], r.racers.front().times[best])), 3);
        }
        line.push_back(results[i - 1]);
        table.push_back(std::move(line));
    }
    return aligned(table, {.first = true, .last = true});
}

std::vector<std::string> confirmation_table(std::vector<tuned_row> const& rows,
                                            std::vector<confirmed_row> const& confirmed) {
    std::vector<cells> table{{"row", "default (us)", "settings (us)", "speed-up", "[95 %]", "p", "outcome"}};
    for (std::size_t i = 0; i != rows.size(); ++i) {
        auto const& v = confirmed[i];
        table.push_back({short_name(rows[i], rows), microseconds(v.before), microseconds(v.after), fixed(v.speed_up, 3),
                         v.low ? '[' + fixed(*v.low, 3) + ", " + fixed(*v.high, 3) + ']' : "-", probability_text(v.p),
                         to_string(v.outcome)});
    }
    return aligned(table, {.first = true, .last = true});
}

std::string evidence_lines(tune_options const& options, std::string const& library, std::vector<tuned_row> const& rows,
                           std::vector<confirmed_row> const& confirmed, std::size_t launches) {
    auto text = "# sonde-tune " SONDE_VERSION ", " + today() + ", " + library + '\n';
    text += "# " + sonde::detail::joined(options.command, " ", sonde::detail::shell_word) + '\n';
    text += "# Confirmed by " + count_text(launches, "launch") +
            " of each side, in turns, which the race had not seen; p corrected for " + count_text(rows.size(), "row") +
            ":\n";
    if (auto const common = common_parts(rows); !common.empty()) text += "# rows of " + common + '\n';
    for (std::size_t i = 0; i != rows.size(); ++i)
        text += "# " + short_name(rows[i], rows) + ": " + to_string(confirmed[i].outcome) + ", " +
                evidence_of(confirmed[i]) + '\n';
    return text;
}

} // namespace tools::tune
