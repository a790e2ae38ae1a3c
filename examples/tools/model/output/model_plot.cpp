// SPDX-License-Identifier: BSL-1.0
#include "tools/model/output/model_plot.hpp"

#include "tools/records/units.hpp"

#include <sonde/drawing/figure.hpp>
#include <sonde/drawing/gnuplot.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace tools::model {

namespace {

using sonde::curve;

/// Value on the y axis: MB/s, or us.
double height(workload const& at, sonde::seconds t, model_kind k) {
    return row_of(k).shows_bandwidth ? bandwidth(at, t, k) / 1e6 : t.count() * 1e6;
}

sonde::figure empty_figure(model_kind k) {
    sonde::figure f{"model " + name(k)};
    f.y_axis = {row_of(k).shows_bandwidth ? "bandwidth (MB/s)" : "time (us)", sonde::axis_scale::log10};
    return f;
}

/// Points of equally many pairs and messages.
using series = std::vector<observation>;

bool same_series(workload const& a, workload const& b) { return a.pairs == b.pairs && a.messages == b.messages; }

std::vector<series> series_of(std::vector<observation> const& points) {
    std::vector<series> all;
    for (auto const& p : points) {
        auto const known =
            std::find_if(all.begin(), all.end(), [&](auto const& s) { return same_series(s[0].at, p.at); });
        (known == all.end() ? all.emplace_back() : *known).push_back(p);
    }
    return all;
}

std::string series_name(series const& s, model_kind k) {
    auto const count = [](double n, char const* noun) {
        return ", " + std::to_string(std::lround(n)) + ' ' + noun + (n == 1 ? "" : "s");
    };
    if (k == model_kind::max_rate) return count(s[0].at.pairs, "pair");
    return k == model_kind::log_gp ? count(s[0].at.messages, "message") : "";
}

curve points_curve(series const& s, model_kind k, std::string name) {
    curve c{std::move(name)};
    for (auto const& o : s) {
        c.x.push_back(o.at.bytes);
        c.y.push_back(height(o.at, o.measured, k));
    }
    return c;
}

/// Adds a band of the intervals of all points, unless a point has none. A low time is a high bandwidth.
void add_band(series const& s, model_kind k, curve& c) {
    if (std::any_of(s.begin(), s.end(), [](auto const& o) { return !o.interval; })) return;
    for (auto const& o : s) {
        auto const a = height(o.at, o.interval->low, k), b = height(o.at, o.interval->high, k);
        c.low.push_back(std::min(a, b));
        c.high.push_back(std::max(a, b));
    }
}

constexpr double points_per_octave = 16; // of the model's curve

/// Adds the model from one point up to another size.
void add_model_points(observation const& a, double to, model_variant const& model, model_kind k, curve& c) {
    auto const from = std::max(a.at.bytes, 1.0);
    auto const steps = std::max(1.0, std::ceil(std::log2(to / from) * points_per_octave));
    for (double i = 0; i != steps; ++i) {
        auto at = a.at;
        at.bytes = from * std::pow(to / from, i / steps);
        c.x.push_back(at.bytes);
        c.y.push_back(height(at, time_of(model, at), k));
    }
}

/// Curve of the model from the first to the last size of the series.
curve model_curve(series const& s, model_variant const& model, model_kind k, std::string name) {
    curve c{std::move(name)};
    c.measured = false;
    for (std::size_t i = 0; i + 1 < s.size(); ++i)
        if (s[i + 1].at.bytes > std::max(s[i].at.bytes, 1.0)) add_model_points(s[i], s[i + 1].at.bytes, model, k, c);
    c.x.push_back(s.back().at.bytes);
    c.y.push_back(height(s.back().at, time_of(model, s.back().at), k));
    return c;
}

/// Points of one segment.
series in_segment(series const& s, fit_result const& f, std::size_t segment) {
    series part;
    std::copy_if(s.begin(), s.end(), std::back_inserter(part),
                 [&](auto const& o) { return f.segment_of(o.at.bytes) == segment; });
    return part;
}

/// "model, 1 pair: alpha 5.000 us, R_C 2.000 GB/s, R_N 9.000 GB/s"; segments after the first have their breakpoint.
std::string legend(fit_result const& f, std::size_t segment, std::string const& of) {
    auto text = "model" + of;
    auto separator = ": ";
    for (auto const& p : f.fit.parameters) {
        if (p.segment != segment) continue;
        if (p.name == "breakpoint") text += " from " + quantity(p.value, "B");
        if (!is_independent(f.kind, p.name)) continue;
        text += std::exchange(separator, ", ") + p.name + ' ' + quantity(p.value, p.unit);
    }
    return text;
}

/// Adds the model's curves. The first curve of a segment has the parameters in its name.
void add_model(fit_result const& f, std::vector<series> const& all, std::vector<curve>& to) {
    for (std::size_t n = 0; n != f.segments(); ++n)
        for (auto const& s : f.determined(n) ? all : std::vector<series>{}) {
            auto const part = in_segment(s, f, n);
            if (part.empty()) continue;
            auto const of = series_name(s, f.kind);
            auto const first = same_series(s[0].at, all[0][0].at);
            to.push_back(model_curve(part, f.fit.model, f.kind, first ? legend(f, n, of) : n == 0 ? "model" + of : ""));
        }
}

} // namespace

sonde::figure figure_of(fit_result const& f) {
    auto drawn = empty_figure(f.kind);
    auto const all = series_of(f.data);
    for (auto const& s : all) {
        drawn.curves.push_back(points_curve(s, f.kind, "measured" + series_name(s, f.kind)));
        add_band(s, f.kind, drawn.curves.back());
    }
    add_model(f, all, drawn.curves);
    return drawn;
}

sonde::figure figure_of(prediction const& p) {
    auto drawn = empty_figure(p.kind);
    for (auto const& s : series_of(p.times)) {
        drawn.curves.push_back(points_curve(s, p.kind, "predicted" + series_name(s, p.kind)));
        drawn.curves.back().measured = false;
    }
    return drawn;
}

void plot_options::add_to(std::vector<suite::option_row>& rows) {
    rows.emplace_back("plot", "draw a figure to a file .svg, .png or .pdf, or to the terminal for -",
                      suite::file_name(file));
    rows.emplace_back("terminal", "draw the figure on the terminal", suite::flag(terminal));
}

std::vector<std::string> plot_options::targets() const {
    std::vector<std::string> all;
    if (terminal) all.emplace_back("-");
    if (!file) return all;
    if (*file != "-" && !file->ends_with(".svg") && !file->ends_with(".png") && !file->ends_with(".pdf"))
        throw std::runtime_error{"--plot '" + *file + "' ends with none of .svg, .png, .pdf"};
    all.push_back(*file);
    return all;
}

void draw(sonde::figure const& figure, std::string const& target) {
    std::string page;
    try {
        page = sonde::figure_page(figure);
    } catch (std::invalid_argument const&) {
        throw std::runtime_error{"--plot: no size above 0, and a picture has no place for another"};
    }
    sonde::draw(target == "-" ? sonde::canvas::tty() : sonde::canvas::for_file(target), page);
}

std::string numbered(std::string const& target, std::size_t number) {
    auto const end = target.rfind('.');
    if (target == "-" || end == target.npos) return target;
    return target.substr(0, end) + '-' + std::to_string(number) + target.substr(end);
}

} // namespace tools::model
