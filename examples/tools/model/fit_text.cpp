// SPDX-License-Identifier: BSL-1.0
#include "fit_text.hpp"

#include "aligned.hpp"
#include "quantity.hpp"
#include "time_table.hpp"

#include <sonde/report/text.hpp>

#include <cmath>

namespace tools::model {

namespace {

using sonde::model::parameter_status;

std::string interval_text(sonde::model::parameter_estimate const& p) {
    if (p.status != parameter_status::determined) return "-";
    auto const scale = scale_of(p.value, p.unit);
    return '[' + scale.number(p.low) + ", " + scale.number(p.high) + ']';
}

std::string value_text(sonde::model::parameter_estimate const& p) {
    return p.status == parameter_status::undetermined ? "-" : quantity(p.value, p.unit);
}

/// As wide as the longest: the other columns stand to the right.
std::string to_the_left(std::string const& words) {
    return sonde::detail::padded(words, sonde::detail::character_count(words_for(parameter_status::undetermined)),
                                 true);
}

cells line_of(sonde::model::parameter_estimate const& p, bool segments) {
    cells line{p.name};
    if (segments) line.push_back(std::to_string(p.segment + 1));
    line.insert(line.end(), {value_text(p), interval_text(p), to_the_left(words_for(p.status))});
    return line;
}

std::vector<std::string> parameter_table(fit_result const& f) {
    auto const segments = f.segments() > 1;
    std::vector<cells> table{{"parameter"}};
    if (segments) table[0].push_back("range");
    table[0].insert(table[0].end(), {"value", "[95 %]", to_the_left("these data say")});
    for (auto const& p : f.fit.parameters) table.push_back(line_of(p, segments));
    return aligned(table, 1);
}

std::string number_text(double x, int decimals = 1) {
    if (!std::isfinite(x)) return "infinite";
    return x < 1e5 ? sonde::detail::fixed(x, x < 100 ? decimals : 0) : sonde::detail::scientific(x, 1);
}

std::string residuals(fit_result const& f) { return number_text(100 * f.fit.residual_rms, 3) + " %"; }

std::string quality(fit_result const& f) {
    return "# residuals " + residuals(f) + " (rms, relative), " + std::to_string(f.data.size()) + " points from " +
           quantity(f.fit.from.count(), "B") + " to " + quantity(f.fit.to.count(), "B") + ", condition " +
           number_text(f.fit.condition_number);
}

} // namespace

char const* words_for(parameter_status s) {
    switch (s) {
    case parameter_status::determined:
        return "determined";
    case parameter_status::lower_bound:
        return "at least this";
    case parameter_status::upper_bound:
        return "at most this";
    case parameter_status::undetermined:
        break;
    }
    return "not determined by these data";
}

std::vector<std::string> doubts(fit_result const& f) {
    if (!f.describes_data())
        return {"the model does not describe these data: residuals " + residuals(f) + " (rms), where more than " +
                sonde::detail::fixed(100 * sonde::model::acceptable_residual, 0) + " % are no noise"};
    std::vector<std::string> lines;
    for (auto const& p : f.fit.parameters)
        if (p.status != parameter_status::determined)
            lines.push_back(p.name + (p.segment == 0 ? "" : " of range " + std::to_string(p.segment + 1)) + ": " +
                            words_for(p.status));
    return lines;
}

std::vector<std::string> fit_text(fit_result const& f, sonde::model::latency_form form) {
    std::vector<std::string> lines{"# model " + name(f.which) + ": " + formula(f.which, form)};
    for (auto const& line : parameter_table(f)) lines.push_back(line);
    lines.push_back(quality(f));
    if (!f.fit.note.empty()) lines.push_back("# note: " + f.fit.note);
    lines.push_back("");
    for (auto const& line : time_table(f)) lines.push_back(line);
    return lines;
}

} // namespace tools::model
