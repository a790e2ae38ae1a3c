// SPDX-License-Identifier: BSL-1.0
#include "columns.hpp"

#include <sonde/metrics.hpp>
#include <sonde/time.hpp>

#include <cmath>
#include <cstdio>
#include <optional>
#include <stdexcept>

namespace osu {

namespace {

using sonde::seconds;

/// Of a collective the means over ranks, as OMB has it; else the slowest rank's.
std::vector<seconds> const& times_of(sonde::record const& r) {
    return r.sample_means.empty() ? r.series : r.sample_means;
}

std::string maybe(figure as, sonde::record const& r, std::optional<seconds> time) {
    return time ? fixed(shown(as, r, *time)) : right("-");
}

bool called_latency(figure as) { return !is_rate(as) || as == figure::congestion; }

/// The title is right-aligned as if the number had one digit or two, so one of three digits makes its column 19 wide.
column percentile_column(figure as, int percent) {
    std::string const what = called_latency(as) ? " Tail Lat(us)" : " Tail BW(MB/s)";
    auto const blanks = 18 - (2 + what.size()) - (percent > 9 ? 1 : 0);
    return {std::string(blanks, ' ') + "P" + std::to_string(percent) + what,
            [=](finding const& f) { return fixed(shown(as, f.record, percentile(times_of(f.record), percent))); }};
}

column validation_column(char const* good, char const* wrong) {
    return {right("Validation"),
            [=](finding const& f) { return right(f.record.errors.value_or(0) == 0 ? good : wrong); }};
}

/// Low and high are those of the figure, so for a rate they come from the other end of the times.
std::optional<seconds> bound(sonde::record const& r, bool of_longest) {
    auto const i = sonde::median_interval(r);
    return i ? std::optional{of_longest ? i->high : i->low} : std::nullopt;
}

std::optional<seconds> global_median(sonde::record const& r) {
    return r.global ? std::optional{sonde::median(r.global->series)} : std::nullopt;
}

void add_honest(std::vector<column>& all, figure as, bool synchronized_clocks) {
    std::string const unit = is_rate(as) ? "(MB/s)" : "(us)";
    auto const add = [&](std::string const& title, auto time) {
        all.push_back({right(title + unit), [=](finding const& f) { return maybe(as, f.record, time(f.record)); }});
    };
    add("Median", [](sonde::record const& r) { return std::optional{sonde::median(r)}; });
    add("95% Low", [=](sonde::record const& r) { return bound(r, is_rate(as)); });
    add("95% High", [=](sonde::record const& r) { return bound(r, !is_rate(as)); });
    add("P99", [](sonde::record const& r) { return sonde::percentile(r, 0.99); });
    add("Slowest", [](sonde::record const& r) { return std::optional{sonde::mean_of_slowest(r)}; });
    add("t_max", [](sonde::record const& r) { return std::optional{r.over_ranks.max}; });
    add("Max", [](sonde::record const& r) { return std::optional{sonde::quantile(r, 1)}; });
    if (synchronized_clocks) add("T_glob", global_median);
}

std::string outside(sonde::record const& r) {
    auto const found = sonde::tukey_outliers(r);
    return std::to_string(found.below + found.above);
}

/// From what a row's figures are, and what is to be thought of them.
void add_making(std::vector<column>& all) {
    auto const say = [&](char const* title, std::string (*text)(sonde::record const&), int width = 12) {
        all.push_back({right(title, width), [=](finding const& f) { return right(text(f.record), width); }});
    };
    say("Samples", [](sonde::record const& r) { return std::to_string(r.stop.samples); });
    say(
        "Batch", [](sonde::record const& r) { return std::to_string(r.batch); }, 8);
    say("Outliers", outside, 10);
    say(
        "Tau", [](sonde::record const& r) { return fixed(sonde::estimate_median(r).tau, 0); }, 8);
    say(
        "Ended by", [](sonde::record const& r) { return std::string{sonde::name(r.stop.reason)}; }, 13);
    say(
        "Flags", [](sonde::record const& r) { return to_string(r.flags); }, 30);
}

void add_bus(std::vector<column>& all) {
    all.push_back({right("Bus (MB/s)"), [](finding const& f) { return fixed(1e-6 * sonde::bus_bandwidth(f.record)); }});
}

void add_hidden(std::vector<column>& all) {
    all.push_back({right("Hidden(%)"), [](finding const& f) { return fixed(100 * sonde::overlap(f.spun.value())); }});
}

/// What a message of a derived type holds, gaps not counted.
std::string transmitted(finding const& f) {
    for (auto const& p : f.record.point.parameters)
        if (p.name == "transmitted") return right(p.text);
    return right("-");
}

} // namespace

std::string right(std::string const& text, int width) {
    std::string const blanks(
        text.size() < static_cast<std::size_t>(width) ? static_cast<std::size_t>(width) - text.size() : 0, ' ');
    return blanks + text;
}

std::string fixed(double value, int width) {
    char text[400];
    std::snprintf(text, sizeof text, "%*.2f", width, value);
    return text;
}

double shown(figure as, sonde::record const& found, sonde::seconds iteration) {
    if (!is_rate(as)) return 1e6 * sonde::latency(found, iteration).count();
    return 1e-6 * sonde::bandwidth(found, iteration);
}

sonde::seconds percentile(std::span<sonde::seconds const> times, int percent) {
    if (times.empty()) throw std::invalid_argument{"osu::percentile: there are no times"};
    auto const sorted = sonde::detail::ascending({times.begin(), times.end()});
    auto const rank = (sorted.size() * static_cast<std::size_t>(percent) + 99) / 100;
    return sorted[rank == 0 ? 0 : rank - 1];
}

std::vector<column> columns_of(program const& about, options const& asked) {
    auto const as = about.shows;
    auto all = value_columns(about, asked);
    if (asked.check.on)
        all.push_back(validation_column(about.one_sided ? "passed" : "Pass", about.one_sided ? "failed" : "Fail"));
    for (auto const percent : asked.percentiles) all.push_back(percentile_column(as, percent));
    if (asked.data.kind != layout::plain) all.push_back({right("Transmit Size"), transmitted});
    if (!asked.honest) return all;
    add_honest(all, as, asked.sync_start == start::window);
    if (as == figure::collective && about.sized) add_bus(all);
    if (as == figure::overlap) add_hidden(all);
    add_making(all);
    return all;
}

} // namespace osu
