// SPDX-License-Identifier: BSL-1.0
#include "columns.hpp"

#include <sonde/detail/ascending.hpp>
#include <sonde/metrics.hpp>

#include <cmath>
#include <cstdio>
#include <optional>
#include <stdexcept>

namespace osu {

namespace {

using sonde::seconds;

std::string maybe(figure as, sonde::record const& r, std::optional<seconds> time) {
    return time ? fixed(shown(as, r, *time)) : right("-");
}

bool called_latency(figure as) { return as == figure::latency || as == figure::congestion; }

/// The title is right-aligned as if the number had one digit or two, so one of three digits makes its column 19 wide.
column percentile_column(figure as, int percent) {
    std::string const what = called_latency(as) ? " Tail Lat(us)" : " Tail BW(MB/s)";
    auto const blanks = 18 - (2 + what.size()) - (percent > 9 ? 1 : 0);
    return {std::string(blanks, ' ') + "P" + std::to_string(percent) + what,
            [=](sonde::record const& r) { return fixed(shown(as, r, percentile(r.series, percent))); }};
}

/// Low and high are those of the figure, so for a rate they come from the other end of the times.
std::optional<seconds> bound(sonde::record const& r, bool of_longest) {
    auto const i = sonde::median_interval(r);
    return i ? std::optional{of_longest ? i->high : i->low} : std::nullopt;
}

void add_honest(std::vector<column>& all, figure as) {
    auto const is_rate = as != figure::latency;
    std::string const unit = is_rate ? "(MB/s)" : "(us)";
    all.push_back({right("Median" + unit), [=](sonde::record const& r) { return maybe(as, r, sonde::typical(r)); }});
    all.push_back({right("95% Low" + unit), [=](sonde::record const& r) { return maybe(as, r, bound(r, is_rate)); }});
    all.push_back({right("95% High" + unit), [=](sonde::record const& r) { return maybe(as, r, bound(r, !is_rate)); }});
    all.push_back({right("P99" + unit), [=](sonde::record const& r) { return maybe(as, r, sonde::tail(r, 0.99)); }});
    all.push_back(
        {right("Slowest" + unit), [=](sonde::record const& r) { return maybe(as, r, sonde::mean_of_slowest(r)); }});
}

char const* value_title(figure as) {
    return called_latency(as) ? "Avg Latency(us)" : as == figure::bandwidth ? "Bandwidth (MB/s)" : "MB/s";
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
    if (as == figure::latency) return 1e6 * sonde::latency(found, iteration).count();
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
    auto const width = about.narrow_value && !asked.check.on ? 10 : 18;
    std::vector<column> all;
    all.push_back({right(value_title(as)),
                   [=](sonde::record const& r) { return fixed(shown(as, r, r.over_ranks.mean), width); }});
    if (as == figure::rate && asked.print_rate)
        all.push_back({right("Messages/s"),
                       [](sonde::record const& r) { return fixed(sonde::message_rate(r, r.over_ranks.mean)); }});
    if (asked.check.on)
        all.push_back({right("Validation"),
                       [](sonde::record const& r) { return right(r.errors.value_or(0) == 0 ? "Pass" : "Fail"); }});
    for (auto const percent : asked.percentiles) all.push_back(percentile_column(as, percent));
    if (asked.data.kind != layout::plain)
        all.push_back({right("Transmit Size"), [](sonde::record const& r) {
                           return right(std::to_string(std::llround(r.total.bytes / r.total.messages)));
                       }});
    if (asked.honest) add_honest(all, as);
    return all;
}

} // namespace osu
