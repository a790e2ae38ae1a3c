// SPDX-License-Identifier: BSL-1.0
#include "fit_text.hpp"

#include "aligned.hpp"
#include "quantity.hpp"
#include "time_table.hpp"

#include <sonde/report/text.hpp>

#include <cmath>

namespace tools::model {

namespace {

using sonde::model::standing;

bool has_segments(fit_result const& f) { return !f.parameters.empty() && f.parameters.back().segment != 0; }

std::string interval_text(sonde::model::parameter const& p) {
    if (p.stands != standing::determined) return "-";
    auto const scale = scale_of(p.value, p.unit);
    return '[' + scale.number(p.low) + ", " + scale.number(p.high) + ']';
}

std::string value_text(sonde::model::parameter const& p) {
    return p.stands == standing::undetermined ? "-" : quantity(p.value, p.unit);
}

std::string to_the_left(std::string const& words) { return sonde::detail::padded(words, 28, true); }

cells line_of(sonde::model::parameter const& p, bool segments) {
    cells line{p.name};
    if (segments) line.push_back(std::to_string(p.segment + 1));
    line.insert(line.end(), {value_text(p), interval_text(p), to_the_left(words_for(p.stands))});
    return line;
}

std::vector<std::string> parameter_table(fit_result const& f) {
    auto const segments = has_segments(f);
    std::vector<cells> table{{"parameter"}};
    if (segments) table[0].push_back("range");
    table[0].insert(table[0].end(), {"value", "[95 %]", to_the_left("these data say")});
    for (auto const& p : f.parameters) table.push_back(line_of(p, segments));
    return aligned(table, 1);
}

std::string number_text(double x) {
    if (!std::isfinite(x)) return "infinite";
    return x < 1e5 ? sonde::detail::fixed(x, x < 100 ? 1 : 0) : sonde::detail::scientific(x, 1);
}

std::string quality(fit_result const& f) {
    return "# residuals " + sonde::detail::fixed(100 * f.residual_rms, 3) + " % (rms, relative), " +
           std::to_string(f.points.size()) + " points from " + quantity(f.from, "B") + " to " + quantity(f.to, "B") +
           ", condition " + number_text(f.condition);
}

} // namespace

char const* words_for(standing s) {
    switch (s) {
    case standing::determined:
        return "determined";
    case standing::lower_bound:
        return "at least this";
    case standing::upper_bound:
        return "at most this";
    case standing::undetermined:
        break;
    }
    return "not determined by these data";
}

std::vector<std::string> fit_text(fit_result const& f, sonde::model::latency_form form) {
    std::vector<std::string> lines{"# model " + std::string{name(f.which)} + ": " + formula(f.which, form)};
    for (auto const& line : parameter_table(f)) lines.push_back(line);
    lines.push_back(quality(f));
    if (!f.note.empty()) lines.push_back("# note: " + f.note);
    lines.push_back("");
    for (auto const& line : time_table(f)) lines.push_back(line);
    return lines;
}

} // namespace tools::model
