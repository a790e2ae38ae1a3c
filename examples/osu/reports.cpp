// SPDX-License-Identifier: BSL-1.0
#include "reports.hpp"

#include "../common/open_report.hpp"
#include "columns.hpp"
#include "common.hpp"

#include <sonde/report/plot.hpp>

#include <cstdlib>

namespace osu {

namespace {

/// The first of two environment variables that holds a sensible number: a terminal's extent.
int extent(char const* own, char const* of_slurm, int otherwise) {
    for (auto const* const name : {own, of_slurm})
        if (auto const* const text = std::getenv(name))
            if (auto const value = number<int>(text, 10, 10'000)) return *value;
    return otherwise;
}

sonde::canvas canvas_of(std::string const& graph, std::string const& name) {
    if (graph == "png") return sonde::canvas::png(name + ".png");
    if (graph == "pdf") return sonde::canvas::pdf(name + ".pdf");
    return sonde::canvas::tty(extent("OMB_COL_SIZE", "SLURM_PTY_WIN_COL", 120),
                              extent("OMB_ROW_SIZE", "SLURM_PTY_WIN_ROW", 40));
}

/// Of a row's records that of its value: the communication beside OMB's work.
bool drawn(sonde::record const& found) {
    for (auto const& p : found.point.parameters)
        if ((p.name == "part" && p.text != "both") || (p.name == "work" && p.text != "matrix")) return false;
    return true;
}

/// What a row shows of a time.
sonde::sample_metric metric_of(program const& about) {
    return {is_rate(about.shows) ? "bandwidth (MB/s)" : "latency (us)",
            [as = about.shows](sonde::record const& r, sonde::seconds t) { return shown(as, r, t); }};
}

/// The samples of every size. Files are NAME-SIZE.png, so the other settings go, but for those of which there are
/// several.
reporter open_samples(program const& about, options const& asked, std::string const& graph) {
    auto const types = asked.types.size() > 1, windows = asked.vary_window;
    sonde::sample_plot draw{canvas_of(graph, about.name), metric_of(about)};
    auto const take = [=](sonde::record found) mutable {
        if (!drawn(found)) return;
        std::erase_if(found.point.parameters, [&](auto const& p) {
            return p.name != "bytes" && !(windows && p.name == "window") && !(types && p.name == "datatype");
        });
        found.point.name.clear();
        draw(found);
    };
    return {take, [draw]() mutable { draw.finish(); }};
}

/// All sizes in one picture, NAME-sizes.png, when the run ends.
reporter open_sizes(program const& about, std::string const& graph) {
    sonde::size_plot_options const how{.samples = metric_of(about)};
    auto const on =
        graph == "tty" ? canvas_of(graph, about.name) : sonde::canvas::for_file(about.name + "-sizes." + graph);
    sonde::size_plot draw{on, how};
    auto const take = [draw](sonde::record const& found) mutable {
        if (drawn(found)) draw(found);
    };
    return {take, [draw]() mutable { draw.finish(); }};
}

} // namespace

std::vector<reporter> open_reports(program const& about, options const& asked, sonde::environment const& where) {
    std::vector<reporter> all;
    for (auto const& r : asked.reports) all.push_back(common::open_report("--report", r, where));
    auto const sizes = about.sized && !about.one_element && asked.min_size < asked.max_size;
    for (auto const& g : asked.graphs) {
        all.push_back(common::opened("-G " + g, [&] { return open_samples(about, asked, g); }));
        if (sizes) all.push_back(common::opened("-G " + g, [&] { return open_sizes(about, g); }));
    }
    return all;
}

} // namespace osu
