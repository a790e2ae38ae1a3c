// SPDX-License-Identifier: BSL-1.0
#include "tools/map/map_html.hpp"

#include "tools/map/map_findings.hpp"
#include "tools/map/map_output.hpp"
#include "tools/map/sonde_map.hpp"

#include <sonde/drawing/figure.hpp>
#include <sonde/drawing/html_contents.hpp>
#include <sonde/drawing/html_document.hpp>
#include <sonde/drawing/html_page.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tools::map {

namespace {

using sonde::detail::html_escaped;

std::string unit_of(measured_map const& m) { return m.task.metric == map_metric::latency ? "us" : "MB/s"; }

std::string name_of(map_result const& result, int place) {
    return html_escaped(result.places[static_cast<std::size_t>(place)]);
}

/// Color of a value between 0, best, and 1, worst: viridis, as in the other figures.
std::string color_of(double x) {
    constexpr double stops[][3] = {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};
    auto const at = std::clamp(x, 0., 1.) * 4;
    auto const i = std::min<std::size_t>(static_cast<std::size_t>(at), 3);
    auto const part = at - static_cast<double>(i);
    std::string text = "rgb(";
    for (std::size_t c = 0; c != 3; ++c) {
        if (c != 0) text += ',';
        text += std::to_string(std::lround(stops[i][c] + part * (stops[i + 1][c] - stops[i][c])));
    }
    return text + ')';
}

/// The best and the worst value of a map.
struct value_ends {
    double best, worst;
};
value_ends ends_of(measured_map const& m) {
    sonde::detail::value_range values;
    for (auto const t : m.times.median.times)
        if (t > sonde::seconds{0}) values.add(value_of(m, t));
    return m.task.metric == map_metric::latency ? value_ends{values.low, values.high}
                                                : value_ends{values.high, values.low};
}

/// Names of the cells' places at the left and on top of a heatmap, in units of its cells.
class cell_names {
public:
    cell_names(map_result const& result, std::vector<int> const& order, heatmap const& h) : cells_{h.size} {
        for (std::size_t cell = 0; cell != h.size; ++cell) {
            auto const first = cell * h.places_per_cell, last = std::min(first + h.places_per_cell, order.size()) - 1;
            auto const name = [&](std::size_t i) { return result.places[static_cast<std::size_t>(order[i])]; };
            names_.push_back(first == last ? name(first) : name(first) + " .. " + name(last));
            longest_ = std::max(longest_, names_.back().size());
        }
    }

    std::string of(std::size_t cell) const { return html_escaped(names_[cell]); }
    double margin() const { return shown() ? 0.62 * letter() * static_cast<double>(longest_ + 1) : 0; }
    std::string svg() const {
        if (!shown()) return "";
        std::string text = "<g font-size=\"" + number(letter()) + "\" text-anchor=\"end\" fill=\"currentColor\">\n";
        for (std::size_t i = 0; i != cells_; ++i) {
            auto const middle = number(static_cast<double>(i) + 0.5 + letter() / 3), gap = number(-letter() / 2);
            text += "<text x=\"" + gap + "\" y=\"" + middle + "\">" + of(i) + "</text>\n<text transform=\"translate(" +
                    middle + ' ' + gap + ") rotate(-90)\" text-anchor=\"start\">" + of(i) + "</text>\n";
        }
        return text + "</g>\n";
    }
    static std::string number(double x) { return sonde::detail::fixed(x, 3); }

private:
    /// Height of letters: of a usual text in a figure that is half a page wide, but at most half a cell.
    double letter() const { return std::min(0.5, 0.028 * static_cast<double>(cells_)); }
    /// Names of more cells would be illegible. The title of each cell has them.
    bool shown() const { return cells_ <= 32; }

    std::size_t cells_, longest_ = 0;
    std::vector<std::string> names_;
};

/// Drawing of a heatmap; each cell has its pair and its value as a title, which browsers show under the pointer.
std::string svg_of(map_result const& result, measured_map const& m, std::vector<int> const& order) {
    auto const h = heatmap_of(m, order, 96);
    auto const [best, worst] = ends_of(m);
    auto const badness = [scale = std::log(worst / best), first = best](double v) {
        return scale == 0 ? 0. : std::log(v / first) / scale;
    };
    cell_names const names{result, order, h};
    auto const begin = cell_names::number(-names.margin()),
               size = cell_names::number(static_cast<double>(h.size) + names.margin());
    auto text = "<svg viewBox=\"" + begin + ' ' + begin + ' ' + size + ' ' + size + "\" role=\"img\" aria-label=\"" +
                title_of(m) + "\" shape-rendering=\"crispEdges\">\n" + names.svg();
    for (std::size_t from = 0; from != h.size; ++from)
        for (std::size_t to = 0; to != h.size; ++to) {
            auto const v = h.values[from * h.size + to];
            if (!v) continue;
            text += "<rect x=\"" + std::to_string(to) + "\" y=\"" + std::to_string(from) +
                    "\" width=\"1\" height=\"1\" fill=\"" + color_of(badness(*v)) + "\"><title>" + names.of(from) +
                    " \u2192 " + names.of(to) + ": " + sonde::detail::fixed(*v, 2) + ' ' + unit_of(m) +
                    (h.places_per_cell > 1 ? ", the worst" : "") + "</title></rect>\n";
        }
    return text + "</svg>\n";
}

std::string figure(std::string const& svg, std::string const& caption) {
    return "<figure>\n" + svg + "<figcaption>" + caption + "</figcaption>\n</figure>\n";
}

/// A table of the slowest pairs, which the page's script makes sortable.
std::string table_of(map_result const& result, measured_map const& m) {
    constexpr std::size_t most = 500;
    struct row {
        int from, to;
        sonde::seconds time;
    };
    std::vector<row> rows;
    for (int a = 0; a < m.times.median.ranks; ++a)
        for (int b = 0; b < m.times.median.ranks; ++b)
            if (auto const t = m.times.median.at(a, b); t > sonde::seconds{0}) rows.push_back({a, b, t});
    std::sort(rows.begin(), rows.end(), [](row const& a, row const& b) { return a.time > b.time; });
    auto const all = rows.size();
    rows.resize(std::min(all, most));
    auto text = "<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"Pairs\">\n<table class=\"results\">\n"
                "<caption>" +
                (all > most ? "The " + std::to_string(most) + " slowest of " + std::to_string(all) + " pairs"
                            : "All pairs, the slowest first") +
                "</caption>\n<thead><tr><th scope=\"col\">from</th><th scope=\"col\">to</th><th scope=\"col\" "
                "class=\"number\">median (" +
                unit_of(m) + ")</th><th scope=\"col\" class=\"number\">95 % interval (" + unit_of(m) +
                ")</th></tr></thead>\n<tbody>\n";
    for (auto const& r : rows) {
        auto low = m.times.low.at(r.from, r.to), high = m.times.high.at(r.from, r.to);
        if (m.task.metric == map_metric::bandwidth) std::swap(low, high);
        auto const value = [&](sonde::seconds t) { return sonde::detail::fixed(value_of(m, t), 2); };
        text += "<tr><td>" + name_of(result, r.from) + "</td><td>" + name_of(result, r.to) +
                "</td><td class=\"number\">" + value(r.time) + "</td><td class=\"number\">" +
                (low > sonde::seconds{0} ? value(low) + " \u2013 " + value(high) : "\u2013") + "</td></tr>\n";
    }
    return text + sonde::detail::html_table_end;
}

std::string section_of(map_result const& result, measured_map const& m, map_findings const& v) {
    std::vector<int> by_host(result.places.size());
    std::iota(by_host.begin(), by_host.end(), 0);
    auto const grouped = grouped_order(m, v.groups);
    auto const ends = ends_of(m);
    auto const value = [&](double x) { return sonde::detail::fixed(x, 2) + ' ' + unit_of(m); };
    auto text =
        "<section>\n<h2>" + title_of(m) + "</h2>\n<div class=\"figures\">\n" +
        figure(svg_of(result, m, by_host), "From each row to each column, in the order of the ranks; dark is the "
                                           "best value, " +
                                               value(ends.best) + ", yellow the worst, " + value(ends.worst)) +
        figure(svg_of(result, m, grouped), "The same, by groups and by the median of a place");
    return text + "</div>\n" + table_of(result, m) + "</section>\n";
}

} // namespace

void write_html(std::string const& path, map_result const& result, map_options const& options,
                std::vector<map_findings> const& findings) {
    auto page = sonde::detail::html_begin(result.environment.command_line);
    auto const alarm = !nothing_found(findings);
    auto const report = report_text(result, options, findings);
    auto const lines = report.substr(0, report.find("\n\n"));
    page += alarm ? "<div class=\"alarm\">" : "<p class=\"summary\">";
    for (std::size_t at = 0; at < lines.size();) {
        auto const end = std::min(lines.find('\n', at), lines.size());
        page += html_escaped(lines.substr(at, end - at)) + (alarm ? "<br>\n" : "");
        at = end + 1;
    }
    page += alarm ? "</div>\n" : "</p>\n";
    for (std::size_t i = 0; i != result.maps.size(); ++i) page += section_of(result, result.maps[i], findings[i]);
    page += sonde::detail::html_environment(result.environment);
    sonde::output_file{path}.write(page + sonde::detail::html_end());
}

} // namespace tools::map
