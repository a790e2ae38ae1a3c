// SPDX-License-Identifier: BSL-1.0
#include "picture.hpp"

#include "parameters.hpp"
#include "quantity.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace tools::model {

namespace {

using sonde::curve;

bool shows_bandwidth(kind k) { return k == kind::multi || k == kind::max_rate; }

/// MB/s, or us.
double height(occasion const& at, sonde::seconds t, kind k) {
    return shows_bandwidth(k) ? bandwidth(at, t, k) / 1e6 : t.count() * 1e6;
}

sonde::figure empty_figure(kind k) {
    sonde::figure f{"model " + name(k)};
    f.y_axis = {shows_bandwidth(k) ? "bandwidth (MB/s)" : "time (us)", sonde::axis_scale::log10};
    return f;
}

/// What tells a series from others: the points of as many pairs and messages.
using series = std::vector<observation>;

bool are_together(occasion const& a, occasion const& b) { return a.pairs == b.pairs && a.messages == b.messages; }

std::vector<series> split(std::vector<observation> const& points) {
    std::vector<series> all;
    for (auto const& p : points) {
        auto const found =
            std::find_if(all.begin(), all.end(), [&](auto const& s) { return are_together(s[0].at, p.at); });
        (found == all.end() ? all.emplace_back() : *found).push_back(p);
    }
    return all;
}

std::string series_name(series const& s, kind k) {
    auto const count = [](double n, char const* noun) {
        return ", " + std::to_string(std::lround(n)) + ' ' + noun + (n == 1 ? "" : "s");
    };
    if (k == kind::max_rate) return count(s[0].at.pairs, "pair");
    return k == kind::log_gp ? count(s[0].at.messages, "message") : "";
}

curve through(series const& s, kind k, std::string name) {
    curve c{std::move(name)};
    for (auto const& o : s) {
        c.x.push_back(o.at.bytes);
        c.y.push_back(height(o.at, o.measured, k));
    }
    return c;
}

/// From the intervals of all points; none where one has none. A bandwidth is high where its time is low.
void add_band(series const& s, kind k, curve& c) {
    if (std::any_of(s.begin(), s.end(), [](auto const& o) { return !o.between; })) return;
    for (auto const& o : s) {
        auto const a = height(o.at, o.between->low, k), b = height(o.at, o.between->high, k);
        c.low.push_back(std::min(a, b));
        c.high.push_back(std::max(a, b));
    }
}

/// So many points that a bend is round.
constexpr double points_of_an_octave = 16;

/// Between two of the points: as the first, with another size.
void add_between(observation const& a, double to, any_model const& model, kind k, curve& c) {
    auto const from = std::max(a.at.bytes, 1.0);
    auto const steps = std::max(1.0, std::ceil(std::log2(to / from) * points_of_an_octave));
    for (double i = 0; i != steps; ++i) {
        auto at = a.at;
        at.bytes = from * std::pow(to / from, i / steps);
        c.x.push_back(at.bytes);
        c.y.push_back(height(at, time_of(model, at), k));
    }
}

/// The model from the first to the last of these sizes.
curve line_of(series const& s, any_model const& model, kind k, std::string name) {
    curve c{std::move(name)};
    c.measured = false;
    for (std::size_t i = 0; i + 1 < s.size(); ++i)
        if (s[i + 1].at.bytes > std::max(s[i].at.bytes, 1.0)) add_between(s[i], s[i + 1].at.bytes, model, k, c);
    c.x.push_back(s.back().at.bytes);
    c.y.push_back(height(s.back().at, time_of(model, s.back().at), k));
    return c;
}

/// The points of one segment of sizes.
series in_segment(series const& s, fit_result const& f, std::size_t segment) {
    series part;
    std::copy_if(s.begin(), s.end(), std::back_inserter(part),
                 [&](auto const& o) { return f.segment_of(o.at.bytes) == segment; });
    return part;
}

/// "model, 1 pair: alpha 5.000 us, R_C 2.000 GB/s, R_N 9.000 GB/s"; of a further range with the size where it begins.
std::string legend(fit_result const& f, std::size_t segment, std::string const& of) {
    auto text = "model" + of;
    auto separator = ": ";
    for (auto const& p : f.fit.parameters) {
        if (p.segment != segment) continue;
        if (p.name == "breakpoint") text += " from " + quantity(p.value, "B");
        if (!is_own(f.which, p.name)) continue;
        text += std::exchange(separator, ", ") + p.name + ' ' + quantity(p.value, p.unit);
    }
    return text;
}

/// The parameters stand once for each segment, and further series only by their names.
void add_model(fit_result const& f, std::vector<series> const& all, std::vector<curve>& to) {
    for (std::size_t n = 0; n != f.segments(); ++n)
        for (auto const& s : f.determined(n) ? all : std::vector<series>{}) {
            auto const part = in_segment(s, f, n);
            if (part.empty()) continue;
            auto const of = series_name(s, f.which);
            auto const first = are_together(s[0].at, all[0][0].at);
            to.push_back(line_of(part, f.fit.model, f.which, first ? legend(f, n, of) : n == 0 ? "model" + of : ""));
        }
}

} // namespace

sonde::figure figure_of(fit_result const& f) {
    auto drawn = empty_figure(f.which);
    auto const all = split(f.data);
    for (auto const& s : all) {
        drawn.curves.push_back(through(s, f.which, "measured" + series_name(s, f.which)));
        add_band(s, f.which, drawn.curves.back());
    }
    add_model(f, all, drawn.curves);
    return drawn;
}

sonde::figure figure_of(kind which, std::vector<observation> const& predicted) {
    auto drawn = empty_figure(which);
    for (auto const& s : split(predicted)) {
        drawn.curves.push_back(through(s, which, "predicted" + series_name(s, which)));
        drawn.curves.back().measured = false;
    }
    return drawn;
}

} // namespace tools::model
