// SPDX-License-Identifier: BSL-1.0
#include "tools/model/output/model_text.hpp"

#include "tools/records/units.hpp"
#include "tools/text.hpp"

#include <sonde/model.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <cmath>

namespace tools::model {

namespace {

using regression::parameter_status;

std::string interval_text(regression::parameter_estimate const& p) {
    if (p.status != parameter_status::determined) return "-";
    auto const scale = scale_of(p.value, p.unit);
    return '[' + scale.number(p.low) + ", " + scale.number(p.high) + ']';
}

std::string value_text(regression::parameter_estimate const& p) {
    return p.status == parameter_status::undetermined ? "-" : quantity(p.value, p.unit);
}

cells line_of(regression::parameter_estimate const& p, bool segments) {
    cells line{p.name};
    if (segments) line.push_back(std::to_string(p.segment + 1));
    line.insert(line.end(), {value_text(p), interval_text(p), status_text(p.status)});
    return line;
}

std::vector<std::string> parameter_table(fit_result const& f) {
    auto const segments = f.segments() > 1;
    std::vector<cells> table{{"parameter"}};
    if (segments) table[0].push_back("range");
    table[0].insert(table[0].end(), {"value", "[95 %]", "these data say"});
    for (auto const& p : f.fit.parameters) table.push_back(line_of(p, segments));
    return aligned(table, {.first = true, .last = true});
}

std::string number_text(double x, int decimals = 1) {
    if (x >= sonde::model::unlimited) return "infinite";
    return x < 1e5 ? sonde::detail::fixed(x, x < 100 ? decimals : 0) : sonde::detail::scientific(x, 1);
}

std::string residuals(fit_result const& f) { return number_text(100 * f.fit.residual_rms, 3) + " %"; }

/// Without outliers, which are among the data. A point of LogGP has two times.
std::string quality(fit_result const& f) {
    auto const points = f.fit.points * (f.kind == model_kind::log_gp ? 2 : 1);
    return "# residuals " + residuals(f) + " (rms, relative), " + std::to_string(points) + " points from " +
           quantity(f.fit.from.count(), "B") + " to " + quantity(f.fit.to.count(), "B") + ", condition " +
           number_text(f.fit.condition_number);
}

} // namespace

std::vector<std::string> fit_warnings(fit_result const& f) {
    if (!f.describes_data())
        return {"the model does not describe these data: residuals " + residuals(f) + " (rms), where more than " +
                sonde::detail::fixed(100 * regression::acceptable_residual, 0) + " % are no noise"};
    std::vector<std::string> lines;
    for (auto const& p : f.fit.parameters)
        if (p.status != parameter_status::determined)
            lines.push_back(p.name + (p.segment == 0 ? "" : " of range " + std::to_string(p.segment + 1)) + ": " +
                            status_text(p.status));
    return lines;
}

namespace {

/// Titles of the arguments of the model's time.
cells argument_titles(model_kind k) {
    cells line{"bytes"};
    if (auto const& argument = row_of(k).argument) line.push_back(argument->name);
    return line;
}

cells argument_texts(model_kind k, workload const& at) {
    cells line{sonde::detail::fixed(at.bytes, 0)};
    if (auto const& argument = row_of(k).argument) line.push_back(sonde::detail::fixed(at.*argument->value, 0));
    return line;
}

std::string time_text(sonde::seconds t) { return quantity(t.count(), "s"); }
std::string rate_text(workload const& at, sonde::seconds t, model_kind k) {
    return quantity(bandwidth(at, t, k), "B/s");
}

std::string signed_percent(double part) {
    auto const text = sonde::detail::fixed(100 * part, 2).append(" %");
    return part < 0 ? text : '+' + text;
}

std::vector<std::string> time_table(fit_result const& f) {
    std::vector<cells> table{argument_titles(f.kind)};
    table[0].insert(table[0].end(), {"measured", "model", "difference", "bandwidth", "of model"});
    for (auto const& o : f.data) {
        auto const t = f.time(o.at);
        auto line = argument_texts(f.kind, o.at);
        line.insert(line.end(),
                    {time_text(o.measured), t ? time_text(*t) : "-", t ? signed_percent(*t / o.measured - 1) : "-",
                     rate_text(o.at, o.measured, f.kind), t ? rate_text(o.at, *t, f.kind) : "-"});
        table.push_back(line);
    }
    return aligned(table, {});
}

} // namespace

std::vector<std::string> prediction_text(prediction const& p) {
    std::vector<cells> table{argument_titles(p.kind)};
    table[0].insert(table[0].end(), {"time", "bandwidth"});
    for (auto const& o : p.times) {
        auto line = argument_texts(p.kind, o.at);
        line.insert(line.end(), {time_text(o.measured), rate_text(o.at, o.measured, p.kind)});
        table.push_back(line);
    }
    auto lines = aligned(table, {});
    lines.insert(lines.begin(), "# model " + name(p.kind) + ": " + p.formula);
    return lines;
}

std::vector<std::string> fit_text(fit_result const& f, sonde::model::latency_form form) {
    std::vector<std::string> lines{"# model " + name(f.kind) + ": " + formula(f.kind, form)};
    for (auto const& line : parameter_table(f)) lines.push_back(line);
    lines.push_back(quality(f));
    if (!f.fit.note.empty()) lines.push_back("# note: " + f.fit.note);
    lines.push_back("");
    for (auto const& line : time_table(f)) lines.push_back(line);
    return lines;
}

namespace {

using lines = std::vector<std::string>;

/// Adds "3 times above 4.000 MiB: reason", unless `count` is 0.
void add_warning(std::size_t count, std::string const& where, std::string const& reason, lines& to) {
    if (count != 0)
        to.push_back(std::to_string(count) + (count == 1 ? " time" : " times") + ' ' + where + ": " + reason);
}

template <class Predicate>
std::size_t count(std::vector<workload> const& at, Predicate predicate) {
    return static_cast<std::size_t>(std::count_if(at.begin(), at.end(), predicate));
}

constexpr char const* extrapolated = "beyond what was fitted; a protocol that changes there would change them";

/// Warns of sizes between the last size measured below a breakpoint and the breakpoint.
void add_breakpoints(fit_result const& f, std::vector<workload> const& at, lines& to) {
    for (auto const& p : f.fit.parameters) {
        if (p.name != "breakpoint" || p.status == regression::parameter_status::undetermined) continue;
        double last = 0; // size measured below the breakpoint
        for (auto const& o : f.data)
            if (o.at.bytes < p.value) last = std::max(last, o.at.bytes);
        auto const between = count(at, [&](workload const& o) { return o.bytes > last && o.bytes < p.value; });
        add_warning(between, "between " + quantity(last, "B") + " and " + quantity(p.value, "B"),
                    "the protocol changes somewhere between these sizes", to);
    }
}

} // namespace

lines extrapolation_warnings(fit_result const& f, std::vector<workload> const& at) {
    lines all;
    auto const from = f.fit.from.count(), to = f.fit.to.count();
    add_warning(count(at, [&](auto const& o) { return o.bytes < from; }), "below " + quantity(from, "B"), extrapolated,
                all);
    add_warning(count(at, [&](auto const& o) { return o.bytes > to; }), "above " + quantity(to, "B"), extrapolated,
                all);
    double most = 0;
    for (auto const& o : f.data) most = std::max(most, o.at.pairs);
    add_warning(f.kind == model_kind::max_rate ? count(at, [&](auto const& o) { return o.pairs > most; }) : 0,
                "of more than " + quantity(most, "") + " pairs", "more than were measured", all);
    add_breakpoints(f, at, all);
    return all;
}

} // namespace tools::model
