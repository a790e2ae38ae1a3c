// SPDX-License-Identifier: BSL-1.0
#include "osu/driver/osu_table.hpp"

#include <sonde/clock.hpp>
#include <sonde/measure/record.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <stdexcept>

namespace osu {

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

namespace {

/// Operations of one initiator in an iteration.
double operations_of_each(sonde::record const& found) {
    return static_cast<double>(found.total.messages) / static_cast<double>(found.initiators);
}

} // namespace

double shown(metric as, sonde::record const& found, sonde::seconds iteration) {
    if (as == metric::message_rate) return sonde::message_rate(found, iteration);
    if (as == metric::atomics) return 1e6 * iteration.count() / operations_of_each(found);
    if (!is_rate(as)) return 1e6 * sonde::latency(found, iteration).count();
    return 1e-6 * sonde::bandwidth(found, iteration);
}

sonde::seconds percentile(std::span<sonde::seconds const> times, int percent) {
    if (times.empty()) throw std::invalid_argument{"osu::percentile: there are no times"};
    auto const sorted = sonde::detail::ascending({times.begin(), times.end()});
    auto const rank = (sorted.size() * static_cast<std::size_t>(percent) + 99) / 100;
    return sorted[rank == 0 ? 0 : rank - 1];
}

double overlap_percent(sonde::overlap_records const& found) {
    auto const visible = found.both.over_ranks.mean - found.phases.value().work;
    return std::max(0.0, 100 - 100 * (visible / found.communication.over_ranks.mean));
}

namespace {

using sonde::seconds;

/// The sample times: of a collective the means over ranks, as in OMB, otherwise those of the slowest rank.
std::vector<seconds> const& times_of(sonde::record const& r) {
    return r.sample_means.empty() ? r.series : r.sample_means;
}

std::string optional_value(metric as, sonde::record const& r, std::optional<seconds> time) {
    return time ? fixed(shown(as, r, *time)) : right("-");
}

/// Sum over the initiators, the first ranks, of each rank's operations per second.
double sum_of_rates(sonde::record const& found) {
    double sum = 0;
    for (int rank = 0; rank != found.initiators; ++rank)
        sum += operations_of_each(found) / found.rank_means.at(static_cast<std::size_t>(rank)).count();
    return sum;
}

bool called_latency(metric as) { return !is_rate(as) || as == metric::congestion; }

/// OMB aligns the title as if the percentage had one or two digits, so that the column of 100 is 19 wide.
column percentile_column(metric as, int percent) {
    std::string const what = called_latency(as) ? " Tail Lat(us)" : " Tail BW(MB/s)";
    auto const blanks = 18 - (2 + what.size()) - (percent > 9 ? 1 : 0);
    return {std::string(blanks, ' ') + "P" + std::to_string(percent) + what,
            [=](result const& f) { return fixed(shown(as, f.record, percentile(times_of(f.record), percent))); }};
}

column validation_column(char const* good, char const* wrong) {
    return {right("Validation"),
            [=](result const& f) { return right(f.record.errors.value_or(0) == 0 ? good : wrong); }};
}

/// Bound of the median's 95 % confidence interval. The lower bound of a rate is the upper bound of its times.
std::optional<seconds> bound(sonde::record const& r, bool of_longest) {
    auto const i = sonde::median_interval(r);
    return i ? std::optional{of_longest ? i->high : i->low} : std::nullopt;
}

std::optional<seconds> global_median(sonde::record const& r) {
    return r.global ? std::optional{sonde::median(r.global->series)} : std::nullopt;
}

void add_statistics(std::vector<column>& all, metric as, bool synchronized_clocks) {
    std::string const unit = as == metric::message_rate ? "(1/s)" : is_rate(as) ? "(MB/s)" : "(us)";
    auto const add = [&](std::string const& title, auto time) {
        all.push_back(
            {right(title + unit), [=](result const& f) { return optional_value(as, f.record, time(f.record)); }});
    };
    add("Median", [](sonde::record const& r) { return std::optional{sonde::median(r)}; });
    add("95% Low", [=](sonde::record const& r) { return bound(r, is_rate(as)); });
    add("95% High", [=](sonde::record const& r) { return bound(r, !is_rate(as)); });
    add("P99", [](sonde::record const& r) { return sonde::percentile(r, 0.99); });
    add("Slowest", [](sonde::record const& r) { return std::optional{sonde::mean(r)}; });
    add("t_max", [](sonde::record const& r) { return std::optional{r.over_ranks.max}; });
    add("Max", [](sonde::record const& r) { return std::optional{sonde::quantile(r, 1)}; });
    if (synchronized_clocks) add("T_glob", global_median);
}

std::string number_of_outliers(sonde::record const& r) {
    auto const found = sonde::tukey_outliers(r);
    return std::to_string(found.below + found.above);
}

/// Number and quality of the samples, and why the row ended.
void add_sample_columns(std::vector<column>& all) {
    auto const add = [&](char const* title, std::string (*text)(sonde::record const&), int width = 12) {
        all.push_back({right(title, width), [=](result const& f) { return right(text(f.record), width); }});
    };
    add("Samples", [](sonde::record const& r) { return std::to_string(r.stop.samples); });
    add(
        "Batch", [](sonde::record const& r) { return std::to_string(r.batch); }, 8);
    add("Outliers", number_of_outliers, 10);
    add(
        "Tau", [](sonde::record const& r) { return fixed(sonde::estimate_median(r).tau, 0); }, 8);
    add(
        "Ended by", [](sonde::record const& r) { return std::string{sonde::to_string(r.stop.reason)}; }, 13);
    add(
        "Flags", [](sonde::record const& r) { return to_string(r.flags); }, 30);
}

void add_bus_bandwidth(std::vector<column>& all) {
    all.push_back({right("Bus (MB/s)"), [](result const& f) { return fixed(1e-6 * sonde::bus_bandwidth(f.record)); }});
}

void add_hidden_part(std::vector<column>& all) {
    all.push_back({right("Hidden(%)"), [](result const& f) { return fixed(100 * sonde::overlap(f.spun.value())); }});
}

void add_completed_atomics(std::vector<column>& all) {
    all.push_back({right("With quiet(us)"), [](result const& f) {
                       if (!f.completed) return right("-");
                       return fixed(shown(metric::atomics, *f.completed, f.completed->over_ranks.mean));
                   }});
}

/// A column of microseconds.
template <class Time>
column time_column(char const* title, Time time) {
    return {right(title), [=](result const& f) { return fixed(1e6 * seconds{time(f)}.count()); }};
}

char const* value_title(program const& about) {
    switch (about.shows) {
    case metric::bandwidth:
        return "Bandwidth (MB/s)";
    case metric::rate:
        return "MB/s";
    case metric::overlap:
        return "Overall(us)";
    default:
        return about.style.latency_title;
    }
}

void add_rank_columns(std::vector<column>& all) {
    all.push_back(time_column("Min Latency(us)", [](result const& f) { return f.record.over_ranks.min; }));
    all.push_back(time_column("Max Latency(us)", [](result const& f) { return f.record.over_ranks.max; }));
    all.push_back(
        {right("Iterations", 12), [](result const& f) { return right(std::to_string(f.record.stop.samples), 12); }});
}

sonde::phase_means const& phases_of(result const& f) { return f.overlapped.value().phases.value(); }
sonde::min_mean_max const& communication_of(result const& f) { return f.overlapped.value().communication.over_ranks; }

void add_overlap(std::vector<column>& all, bool full) {
    all.push_back(time_column("Compute(us)", [](result const& f) { return phases_of(f).work; }));
    if (full) {
        all.push_back(time_column("Coll. Init(us)", [](result const& f) { return phases_of(f).post; }));
        all.push_back(time_column("MPI_Test(us)", [](result const& f) { return phases_of(f).test; }));
        all.push_back(time_column("MPI_Wait(us)", [](result const& f) { return phases_of(f).wait; }));
    }
    all.push_back(time_column("Pure Comm.(us)", [](result const& f) { return communication_of(f).mean; }));
    if (full) {
        all.push_back(time_column("Min Comm.(us)", [](result const& f) { return communication_of(f).min; }));
        all.push_back(time_column("Max Comm.(us)", [](result const& f) { return communication_of(f).max; }));
    }
    all.push_back({right("Overlap(%)"), [](result const& f) { return fixed(overlap_percent(f.overlapped.value())); }});
}

/// Medians, since a preempted iteration of any part would move the share of the means.
void add_early_bird(std::vector<column>& all) {
    using sonde::overlap_records;
    auto const add = [&](char const* title, auto value) {
        all.push_back({right(title), [=](result const& f) { return fixed(value(f.overlapped.value())); }});
    };
    add("Overall(us)", [](overlap_records const& o) { return 1e6 * sonde::median(o.both).count(); });
    add("Compute(us)", [](overlap_records const& o) { return 1e6 * sonde::median(o.work).count(); });
    add("Pure Comm.(us)", [](overlap_records const& o) { return 1e6 * sonde::median(o.communication).count(); });
    add("Early-bird(%)", [](overlap_records const& o) { return 100 * sonde::overlap(o); });
}

/// OMB's titles are a character wider than the values below them.
void add_overlap_of_put(std::vector<column>& all) {
    constexpr auto width = 17;
    auto const add = [&](char const* title, auto value) {
        all.push_back({right(title), [=](result const& f) { return fixed(value(f), width); }});
    };
    add("Compute(us)", [](result const& f) { return 1e6 * phases_of(f).work.count(); });
    add("Coll. Init(us)", [](result const& f) { return 1e6 * phases_of(f).post.count(); });
    add("MPI_Wait(us)", [](result const& f) { return 1e6 * phases_of(f).wait.count(); });
    add("Pure Comm.(us)", [](result const& f) { return 1e6 * communication_of(f).mean.count(); });
    add("Overlap(%)", [](result const& f) { return overlap_percent(f.overlapped.value()); });
}

void add_atomics(std::vector<column>& all) {
    all.push_back({right("Million ops/s"), [](result const& f) { return fixed(1e-6 * sum_of_rates(f.record)); }});
    all.push_back({right("Latency (us)"),
                   [](result const& f) { return fixed(shown(metric::atomics, f.record, f.record.over_ranks.mean)); }});
}

/// Slowdown of the median, of times of the same rounds, or of another quantile.
sonde::slowdown slowdown_of(interference const& found, double q) {
    return q == 0.5 ? sonde::median_slowdown(found.times) : sonde::quantile_slowdown(found.times, q);
}

/// The exchange alone and beside the load, the slowdowns with their intervals, and the load without and with it.
void add_interference(std::vector<column>& all, metric as) {
    std::string const unit = is_rate(as) ? "(MB/s)" : "(us)";
    auto const add = [&](std::string const& title, auto text) {
        all.push_back({right(title), [=](result const& f) { return text(f.beside.value()); }});
    };
    for (std::size_t i : {0u, 1u}) {
        std::string const where = i == 0 ? " alone" : " beside";
        add("P50" + where + unit, [=](interference const& found) {
            auto const& r = found.times.records.at(i);
            return optional_value(as, r, sonde::median(r));
        });
        add("P99" + where + unit, [=](interference const& found) {
            auto const& r = found.times.records.at(i);
            return optional_value(as, r, sonde::percentile(r, 0.99));
        });
    }
    auto const add_slowdown = [&](std::string const& what, double q) {
        add(what + "Slowdown", [=](interference const& f) {
            auto const enough = q == 0.5 || sonde::percentile(f.times.records.front(), q);
            return enough ? fixed(slowdown_of(f, q).value) : right("-");
        });
        add(what + "95% Low", [=](interference const& f) {
            auto const range = slowdown_of(f, q).interval;
            return range ? fixed(range->low) : right("-");
        });
        add(what + "95% High", [=](interference const& f) {
            auto const range = slowdown_of(f, q).interval;
            return range ? fixed(range->high) : right("-");
        });
    };
    add_slowdown("", 0.5);
    add_slowdown("P99 ", 0.99);
    add("Load(MB/s)", [](interference const& f) { return fixed(1e-6 * f.load_alone.rate()); });
    add("Beside(MB/s)", [](interference const& f) { return fixed(1e-6 * f.load_beside.rate()); });
}

/// OMB's columns in front of the validation.
std::vector<column> value_columns(program const& about, options const& asked) {
    auto const as = about.shows;
    auto const width = asked.check.on ? 18 : about.style.value_width;
    std::vector<column> all;
    if (as == metric::put_overlap) return add_overlap_of_put(all), all;
    if (as == metric::early_bird) return add_early_bird(all), all;
    if (as == metric::atomics) return add_atomics(all), all;
    if (as == metric::message_rate)
        return {{right("Messages/s"), [](result const& f) { return fixed(sum_of_rates(f.record)); }}};
    all.push_back({right(value_title(about)),
                   [=](result const& f) { return fixed(shown(as, f.record, f.record.over_ranks.mean), width); }});
    if (as == metric::rate && asked.print_rate)
        all.push_back({right("Messages/s"),
                       [](result const& f) { return fixed(sonde::message_rate(f.record, f.record.over_ranks.mean)); }});
    if (as == metric::collective && asked.full) add_rank_columns(all);
    if (as == metric::overlap) add_overlap(all, asked.full);
    return all;
}

} // namespace

std::vector<column> columns_of(program const& about, options const& asked) {
    auto const as = about.shows;
    auto all = value_columns(about, asked);
    if (asked.check.on) all.push_back(validation_column(about.style.right_contents, about.style.wrong_contents));
    for (auto const percent : asked.percentiles) all.push_back(percentile_column(as, percent));
    if (asked.data.kind != layout::plain)
        all.push_back({right("Transmit Size"), [](result const& f) { return right(std::to_string(f.transmitted)); }});
    if (asked.beside) add_interference(all, as);
    if (!asked.statistics) return all;
    add_statistics(all, as, asked.sync_start == start::window);
    if (as == metric::collective && about.rows == rows::sizes) add_bus_bandwidth(all);
    if (as == metric::overlap || as == metric::put_overlap) add_hidden_part(all);
    if (as == metric::atomics) add_completed_atomics(all);
    add_sample_columns(all);
    return all;
}

} // namespace osu
