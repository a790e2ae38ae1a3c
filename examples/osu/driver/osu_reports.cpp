// SPDX-License-Identifier: BSL-1.0
#include "osu/driver/osu_reports.hpp"

#include "osu/driver/osu_program.hpp"
#include "osu/driver/osu_table.hpp"
#include "suite/refusal.hpp"

#include <sonde/measure/record.hpp>
#include <sonde/report/plot.hpp>

#include <cstdlib>

namespace osu {

namespace {

/// Columns or rows of a terminal: the first of two environment variables with a number from 10 to 10,000.
int terminal_size(char const* omb_variable, char const* slurm_variable, int otherwise) {
    for (auto const* const name : {omb_variable, slurm_variable})
        if (auto const* const text = std::getenv(name))
            if (auto const value = number<int>(text, 10, 10'000)) return *value;
    return otherwise;
}

sonde::canvas canvas_of(std::string const& graph, std::string const& name) {
    if (graph == "png") return sonde::canvas::png(name + ".png");
    if (graph == "pdf") return sonde::canvas::pdf(name + ".pdf");
    return sonde::canvas::tty(terminal_size("OMB_COL_SIZE", "SLURM_PTY_WIN_COL", 120),
                              terminal_size("OMB_ROW_SIZE", "SLURM_PTY_WIN_ROW", 40));
}

/// The value of a row, for each sample.
sonde::sample_metric metric_of(program const& about) {
    return {is_rate(about.shows) ? "bandwidth (MB/s)" : "latency (us)",
            [as = about.shows](sonde::record const& r, sonde::seconds t) { return shown(as, r, t); }};
}

/// Plots of the samples of every size, NAME-SIZE.png. Of the other parameters the name has those with several values:
/// window and datatype.
reporter open_sample_plots(program const& about, options const& asked, std::string const& graph) {
    auto const types = asked.types.size() > 1, windows = asked.vary_window;
    sonde::sample_plot draw{canvas_of(graph, about.name), metric_of(about)};
    auto const take = [=](sonde::record found) mutable {
        std::erase_if(found.point.parameters, [&](auto const& p) {
            return p.name != "bytes" && !(windows && p.name == "window") && !(types && p.name == "datatype");
        });
        found.point.name.clear();
        draw(found);
    };
    return {take, [draw]() mutable { draw.finish(); }};
}

/// One plot of all sizes, NAME-sizes.png, drawn when the run ends.
reporter open_size_plot(program const& about, std::string const& graph) {
    sonde::size_plot_options const options{.samples = metric_of(about)};
    auto const on =
        graph == "tty" ? canvas_of(graph, about.name) : sonde::canvas::for_file(about.name + "-sizes." + graph);
    sonde::size_plot draw{on, options};
    return {draw, [draw]() mutable { draw.finish(); }};
}

} // namespace

void row_reports::add(result const& row) const {
    if (!of_records.empty())
        for (auto const& r : row.records())
            for (auto const& report : of_records) report(r);
    for (auto const& report : of_values) report(row.record);
}

void row_reports::finish() const {
    for (auto const* const reports : {&of_records, &of_values})
        for (auto const& report : *reports) report.finish();
}

row_reports open_reports(program const& about, options const& asked, sonde::environment const& where) {
    row_reports all;
    for (auto const& r : asked.reports) all.of_records.push_back(suite::open_report("--report", r, where));
    auto const sizes = about.rows == rows::sizes && asked.min_size < asked.max_size;
    for (auto const& g : asked.graphs) {
        all.of_values.push_back(suite::opened("-G " + g, [&] { return open_sample_plots(about, asked, g); }));
        if (sizes) all.of_values.push_back(suite::opened("-G " + g, [&] { return open_size_plot(about, g); }));
    }
    return all;
}

void asymmetry_note::add(sonde::record const& row) {
    ++rows_;
    of_rank_.resize(row.slowest_counts.size());
    for (auto const rank : sonde::stragglers(row)) ++of_rank_[static_cast<std::size_t>(rank)];
}

std::vector<std::string> asymmetry_note::lines(sonde::environment const& where) const {
    std::vector<std::string> all;
    for (std::size_t rank = 0; rank != of_rank_.size(); ++rank) {
        auto const rows = of_rank_[rank];
        if (rows < 3 || 2 * rows < rows_) continue;
        auto const& host = where.hosts.at(static_cast<std::size_t>(where.host_of_rank.at(rank)));
        all.push_back("# Asymmetric: rank " + std::to_string(rank) + " on " + host +
                      " was the slowest more often than chance allows in " + std::to_string(rows) + " of " +
                      std::to_string(rows_) + " rows");
    }
    return all;
}

} // namespace osu
