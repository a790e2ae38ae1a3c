// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/imb_table.hpp"

#include "imb/driver/sweep.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <initializer_list>
#include <utility>

namespace imb {

std::string formatted(char const* format, ...) {
    char text[256]{};
    va_list values;
    va_start(values, format);
    std::vsnprintf(text, sizeof text, format, values);
    va_end(values);
    return text;
}

namespace {

double microseconds(sonde::seconds t) { return t.count() * 1e6; }

constexpr int cell_width = 13;

std::string cell(std::string const& text) { return formatted("%*s", cell_width, text.c_str()); }
std::string cell(std::size_t n) { return cell(std::to_string(n)); }
std::string cell(double value, int decimals = 2) { return formatted("%*.*f", cell_width, decimals, value); }

std::string cells(std::initializer_list<double> values) {
    std::string line;
    for (auto const v : values) line += cell(v);
    return line;
}

/// Time of the slowest rank of all groups, in one of the records of a result.
template <class Of>
double slowest(std::span<result const> groups, Of of) {
    double most = 0;
    for (auto const& g : groups) most = std::max(most, microseconds(of(g).over_ranks.max));
    return most;
}

sonde::record const& pure(result const& g) { return g.pure; }
sonde::record const& both(result const& g) { return g.overlap.value(); }
sonde::record const& work_of(result const& g) { return g.work.value(); }

/// The three times of the rank whose time with overlap is the longest.
overlap_figures of_slowest_rank(std::span<result const> groups) {
    overlap_figures found{-1, 0, 0, 0};
    for (auto const& g : groups)
        for (std::size_t r = 0; r != both(g).rank_means.size(); ++r)
            if (auto const t = microseconds(both(g).rank_means[r]); t > found.both)
                found = {t, microseconds(g.pure.rank_means.at(r)), microseconds(work_of(g).rank_means.at(r)), 0};
    return found;
}

std::string rate_cells(benchmark const& test, line_inputs const& in, double t) {
    auto const messages = test.bandwidth_factor * static_cast<double>(in.window) * (in.ranks / 2);
    auto const rate = t > 0 ? messages * 1e6 / t : 0;
    return cell(rate * static_cast<double>(in.bytes) / 1e6) + cell(rate, 0);
}

std::string overlap_cells(benchmark const& test, std::span<result const> groups) {
    auto const found = overlap_of(test, groups);
    return cells({found.both, found.pure, found.work, found.percent});
}

} // namespace

times times_of(std::span<result const> groups, double factor) {
    times found{-1, 0, 0};
    double ranks = 0;
    for (auto const& group : groups) {
        auto const& r = group.pure;
        if (r.initiators == 0) continue;
        auto const least = microseconds(r.over_ranks.min) * factor;
        found.min = ranks == 0 ? least : std::min(found.min, least);
        found.max = std::max(found.max, microseconds(r.over_ranks.max) * factor);
        found.avg += microseconds(r.over_ranks.mean) * factor * r.initiators;
        ranks += r.initiators;
    }
    return ranks == 0 ? times{} : times{found.min, found.max, found.avg / ranks};
}

double bandwidth_of(benchmark const& test, line_inputs const& in, double t) {
    auto const factor = test.bandwidth_factor * (test.to_all_others ? in.ranks - 1 : 1);
    return t > 0 ? factor * static_cast<double>(in.bytes) / t : 0;
}

overlap_figures overlap_of(benchmark const& test, std::span<result const> groups) {
    auto const of_one_rank = test.overlap_relative_to == overlap_base::larger;
    auto found = of_one_rank
                     ? of_slowest_rank(groups)
                     : overlap_figures{slowest(groups, both), slowest(groups, pure), slowest(groups, work_of), 0};
    auto const whole = of_one_rank ? std::max(found.pure, found.work) : std::min(found.pure, found.work);
    if (whole > 0) found.percent = 100 * std::clamp((found.pure + found.work - found.both) / whole, 0.0, 1.0);
    return found;
}

std::string figures_of(benchmark const& test, columns shows, line_inputs const& in, std::span<result const> groups) {
    auto const [min, max, avg] = times_of(groups, test.time_factor);
    switch (shows) {
    case columns::time_bandwidth:
        return cells({max, bandwidth_of(test, in, max)});
    case columns::rate:
        return rate_cells(test, in, max);
    case columns::range_bandwidth:
        return cells({min, max, avg, bandwidth_of(test, in, max)});
    case columns::range:
    case columns::sync:
        return cells({min, max, avg});
    case columns::sync_overlap:
    case columns::overlap:
        return overlap_cells(test, groups);
    case columns::passive_overlap:
        break;
    }
    return cells({max, slowest(groups, both)});
}

namespace {

std::vector<std::string> figure_titles(columns shows) {
    switch (shows) {
    case columns::time_bandwidth:
        return {"t[usec]", "Mbytes/sec"};
    case columns::rate:
        return {"Mbytes/sec", "Msg/sec"};
    case columns::range_bandwidth:
        return {"t_min[usec]", "t_max[usec]", "t_avg[usec]", "Mbytes/sec"};
    case columns::range:
    case columns::sync:
        return {"t_min[usec]", "t_max[usec]", "t_avg[usec]"};
    case columns::sync_overlap:
    case columns::overlap:
        return {"t_ovrl[usec]", "t_pure[usec]", "t_CPU[usec]", "overlap[%]"};
    case columns::passive_overlap:
        break;
    }
    return {"t_pure[usec]", "t_ovrl[usec]"};
}

std::vector<std::string> titles_of(head_inputs const& in, columns shows) {
    std::vector<std::string> titles;
    if (in.by_group) titles.emplace_back("Group");
    if (is_sized(shows)) titles.emplace_back("#bytes");
    titles.emplace_back("#repetitions");
    for (auto const& t : figure_titles(shows)) titles.push_back(t);
    if (in.defects) titles.emplace_back("defects");
    return titles;
}

/// Ranks, sixteen per line.
std::string listed(std::string const& first, std::vector<int> const& ranks) {
    std::string text;
    for (std::size_t i = 0; i != ranks.size(); ++i) {
        if (i % 16 == 0) text += i == 0 ? first : "\n#" + std::string(first.size() - 1, ' ');
        text += formatted(" %4d", ranks[i]);
    }
    return text + "\n";
}

/// Ranks in rows of `row`.
std::string rows_of(std::vector<int> const& ranks, std::size_t row) {
    std::string text;
    for (auto from = ranks.begin(); from != ranks.end();) {
        auto const to = from + std::min(static_cast<std::ptrdiff_t>(row), ranks.end() - from);
        text += listed("# ", {from, to}) + "# \n";
        from = to;
    }
    return text;
}

std::string processes_of(head_inputs const& in) {
    auto const processes = std::to_string(in.groups.front().size());
    if (in.groups.size() > 1) {
        auto text = "# ( " + std::to_string(in.groups.size()) + " groups of " + processes +
                    " processes each running simultaneous ) \n";
        for (std::size_t g = 0; g != in.groups.size(); ++g)
            text += listed("# Group  " + std::to_string(g) + ": ", in.groups[g]) + "# \n";
        return text;
    }
    if (in.row == 0) return "# #processes = " + processes + " \n";
    return "# #processes = " + processes + "; rank order (rowwise): \n" + rows_of(in.groups.front(), in.row);
}

std::string waiting(head_inputs const& in) {
    auto const busy = in.groups.size() * in.groups.front().size();
    auto const others = static_cast<std::size_t>(in.world) - busy;
    if (others == 0) return {};
    return "# ( " + std::to_string(others) + " additional process" + (others == 1 ? "" : "es") +
           " waiting in MPI_Barrier)\n";
}

std::string mode_of(head_inputs const& in) {
    auto const shown = in.mode == mode::only ? in.test.shown_as : in.mode;
    if (shown == mode::only) return {};
    return std::string{"#\n#    MODE: "} + (shown == mode::aggregate ? "AGGREGATE" : "NON-AGGREGATE") + " \n#\n";
}

} // namespace

columns columns_of(benchmark const& test, options const& asked) {
    auto const over_groups = asked.multi && *asked.multi == 0;
    return test.shows == columns::time_bandwidth && test.kind != family::passive && over_groups
               ? columns::range_bandwidth
               : test.shows;
}

bool is_sized(columns shows) { return shows != columns::sync && shows != columns::sync_overlap; }

std::string head_of(head_inputs const& in, columns shows) {
    auto const titles = titles_of(in, shows);
    auto const dashes = '#' + std::string(cell_width * titles.size() - 1, '-') + '\n';
    auto text = '\n' + dashes + "# Benchmarking " + (in.groups.size() > 1 ? "Multi-" : "") + in.test.name + " \n" +
                processes_of(in) + waiting(in) + dashes + mode_of(in);
    for (auto const& t : titles) text += cell(t);
    return text + '\n';
}

std::string invalid_line(benchmark const& test, int processes) {
    std::string const what{test.unfit};
    auto const number = what.find('%');
    return "\n# !! Benchmark " + test.name + " " + what.substr(0, number) + std::to_string(processes) +
           what.substr(number + 1) + " !!";
}

std::string failure_text(failure why, std::size_t bytes_needed, std::string const& advice) {
    if (why == failure::overflow) return " int-overflow; The production rank*size caused int overflow;" + advice;
    if (why == failure::time_out)
        return " time-out.; Time limit (secs_per_sample * msg_sizes_list_len) is over; use \"-time X\" or "
               "SECS_PER_SAMPLE=X (IMB_settings.h) to increase time limit.";
    return formatted(" out-of-mem.; needed X=%8.3f GB; use flag \"-mem X\" or MAX_MEM_USAGE>=X (IMB_mem_info.h)",
                     static_cast<double>(bytes_needed) / 0x1p30 + 0.001);
}

namespace {

double largest_defect(std::span<result const> results) {
    double most = 0;
    for (auto const& r : results) most = std::max(most, r.defects.value_or(0));
    return most;
}

} // namespace

table::table(driver& on, benchmark const& test, mode in, std::vector<std::vector<int>> const& groups)
    : driver_{on}, test_{test}, mode_{in}, groups_{groups}, shows_{columns_of(test, on.options)} {}

bool table::by_group() const { return driver_.options.multi.value_or(-1) > 0; }

void table::print_head(bool defects) {
    if (std::exchange(has_head_, true)) return;
    auto const& map = driver_.options.map;
    auto const row = transposes(map) && groups_.size() == 1 ? static_cast<std::size_t>(map.q) : 0;
    driver_.print(head_of({test_, mode_, driver_.world.size(), groups_, row, by_group(), defects}, shows_));
}

void table::print_line(std::string const& group, std::size_t bytes, std::span<result const> results) const {
    auto text = group + (is_sized(shows_) ? cell(bytes) : std::string{}) + cell(results.front().repetitions);
    line_inputs const in{bytes, static_cast<int>(groups_.front().size()), driver_.options.window};
    text += figures_of(test_, shows_, in, results);
    if (is_sized(shows_) && results.front().defects) text += cell(largest_defect(results));
    driver_.print(text + "\n");
}

void table::add(std::size_t bytes, std::vector<result> const& groups) {
    print_head(is_sized(shows_) && groups.front().defects);
    if (!by_group()) print_line({}, bytes, groups);
    else driver_.print("\n");
    for (std::size_t g = 0; g != groups.size() && by_group(); ++g) print_line(cell(g), bytes, {&groups[g], 1});
    driver_.defects = driver_.defects || largest_defect(groups) > 0;
    for (auto const& g : groups) driver_.report(g, groups.size());
}

void table::add(failure why, std::size_t bytes, std::size_t bytes_needed) {
    print_head(false);
    auto const advice = advice_of(driver_.about, test_, driver_.options);
    auto const text = cell(bytes) + failure_text(why, bytes_needed, advice) + "\n";
    if (!by_group()) return driver_.print(text);
    driver_.print("\n");
    for (std::size_t g = 0; g != groups_.size(); ++g) driver_.print(cell(g) + text);
}

} // namespace imb
