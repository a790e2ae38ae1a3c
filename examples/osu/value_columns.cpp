// SPDX-License-Identifier: BSL-1.0
#include "columns.hpp"

#include <sonde/metrics.hpp>

#include <algorithm>

namespace osu {

namespace {

using sonde::seconds;

/// A time as microseconds.
template <class Time>
column time_column(char const* title, Time time) {
    return {right(title), [=](finding const& f) { return fixed(1e6 * seconds{time(f)}.count()); }};
}

char const* value_title(program const& about) {
    switch (about.shows) {
    case figure::bandwidth:
        return "Bandwidth (MB/s)";
    case figure::rate:
        return "MB/s";
    case figure::overlap:
        return "Overall(us)";
    default:
        return about.one_sided || is_nccl_pair(about) ? "Latency (us)" : "Avg Latency(us)";
    }
}

void add_spread(std::vector<column>& all) {
    all.push_back(time_column("Min Latency(us)", [](finding const& f) { return f.record.over_ranks.min; }));
    all.push_back(time_column("Max Latency(us)", [](finding const& f) { return f.record.over_ranks.max; }));
    all.push_back(
        {right("Iterations", 12), [](finding const& f) { return right(std::to_string(f.record.stop.samples), 12); }});
}

sonde::phase_means const& phases_of(finding const& f) { return f.overlapped.value().phases.value(); }
sonde::min_mean_max const& communication_of(finding const& f) { return f.overlapped.value().communication.over_ranks; }

void add_overlap(std::vector<column>& all, bool full) {
    all.push_back(time_column("Compute(us)", [](finding const& f) { return phases_of(f).work; }));
    if (full) {
        all.push_back(time_column("Coll. Init(us)", [](finding const& f) { return phases_of(f).post; }));
        all.push_back(time_column("MPI_Test(us)", [](finding const& f) { return phases_of(f).test; }));
        all.push_back(time_column("MPI_Wait(us)", [](finding const& f) { return phases_of(f).wait; }));
    }
    all.push_back(time_column("Pure Comm.(us)", [](finding const& f) { return communication_of(f).mean; }));
    if (full) {
        all.push_back(time_column("Min Comm.(us)", [](finding const& f) { return communication_of(f).min; }));
        all.push_back(time_column("Max Comm.(us)", [](finding const& f) { return communication_of(f).max; }));
    }
    all.push_back({right("Overlap(%)"), [](finding const& f) { return fixed(overlap_percent(f.overlapped.value())); }});
}

} // namespace

double overlap_percent(sonde::overlap_records const& found) {
    auto const visible = found.both.over_ranks.mean - found.phases.value().work;
    return std::max(0.0, 100 - 100 * (visible / found.communication.over_ranks.mean));
}

std::vector<column> value_columns(program const& about, options const& asked) {
    auto const as = about.shows;
    auto const width = about.narrow_value && !asked.check.on ? 10 : 18;
    std::vector<column> all;
    all.push_back({right(value_title(about)),
                   [=](finding const& f) { return fixed(shown(as, f.record, f.record.over_ranks.mean), width); }});
    if (as == figure::rate && asked.print_rate)
        all.push_back({right("Messages/s"), [](finding const& f) {
                           return fixed(sonde::message_rate(f.record, f.record.over_ranks.mean));
                       }});
    if (as == figure::collective && asked.full) add_spread(all);
    if (as == figure::overlap) add_overlap(all, asked.full);
    return all;
}

} // namespace osu
