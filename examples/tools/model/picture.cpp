// SPDX-License-Identifier: BSL-1.0
#include "picture.hpp"

#include "quantity.hpp"

#include <algorithm>
#include <cmath>

namespace tools::model {

namespace {

using sonde::curve;
using sonde::model::standing;

bool shows_bandwidth(kind k) { return k == kind::multi || k == kind::max_rate; }

/// MB/s, or us.
double height(occasion const& at, sonde::seconds t, kind k) {
    return shows_bandwidth(k) ? bandwidth(at, t, k) / 1e6 : t.count() * 1e6;
}

sonde::figure empty_figure(kind k) {
    sonde::figure f{std::string{"model "} + name(k)};
    f.up = {shows_bandwidth(k) ? "bandwidth (MB/s)" : "time (us)", sonde::axis_scale::decades};
    return f;
}

std::string text_of(sonde::model::parameter const& p) {
    if (p.stands == standing::undetermined) return p.name + " not determined";
    auto const* const sign = p.stands == standing::lower_bound   ? " >= "
                             : p.stands == standing::upper_bound ? " <= "
                                                                 : " ";
    return p.name + sign + quantity(p.value, p.unit);
}

/// "model: C 512.0 KiB, B_r 1.500 GB/s, T_l 3.000 us".
std::string legend(fit_result const& f, std::size_t segment) {
    std::string text = "model";
    for (auto const& p : f.parameters)
        if (p.segment == segment) text += (text == "model" ? ": " : ", ") + text_of(p);
    return text;
}

/// What tells a series from others: the points of as many pairs and messages.
using series = std::vector<observation>;

std::vector<series> split(std::vector<observation> const& points) {
    std::vector<series> all;
    auto const same = [](occasion const& a, occasion const& b) {
        return a.pairs == b.pairs && a.messages == b.messages;
    };
    for (auto const& p : points) {
        auto const found = std::find_if(all.begin(), all.end(), [&](auto const& s) { return same(s[0].at, p.at); });
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
    auto const begin_of = [&](std::size_t n) {
        for (auto const& p : f.parameters)
            if (p.name == "break" && p.segment == n) return p.value;
        return n == 0 ? 0.0 : HUGE_VAL;
    };
    series part;
    for (auto const& o : s)
        if (o.at.bytes >= begin_of(segment) && o.at.bytes < begin_of(segment + 1)) part.push_back(o);
    return part;
}

std::size_t segments(fit_result const& f) { return f.parameters.empty() ? 1 : f.parameters.back().segment + 1; }

} // namespace

sonde::figure figure_of(fit_result const& f) {
    auto drawn = empty_figure(f.which);
    auto const all = split(f.points);
    for (auto const& s : all) drawn.curves.push_back(through(s, f.which, "measured" + series_name(s, f.which)));
    for (std::size_t n = 0; n != segments(f); ++n)
        for (auto const& s : all) {
            auto const part = in_segment(s, f, n);
            auto const name = &s == &all.front() ? legend(f, n) : "model" + series_name(s, f.which);
            if (!part.empty()) drawn.curves.push_back(line_of(part, f.model, f.which, name));
        }
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
