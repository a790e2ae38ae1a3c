// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/break_interval.hpp>
#include <sonde/model/fit/hockney_line.hpp>
#include <sonde/model/fit/hockney_points.hpp>
#include <sonde/model/fit/result.hpp>
#include <sonde/model/fit/segments.hpp>
#include <sonde/model/hockney.hpp>
#include <sonde/record.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sonde::model {

namespace detail {

/// Of relative residuals, by degrees of freedom where each of so many lines has two parameters.
inline double rms_of(piecewise_hockney const& model, std::span<hockney::point const> points, std::size_t lines) {
    double sum = 0;
    for (auto const& p : points) sum += std::pow(model.time(p.size) / p.time - 1, 2);
    return std::sqrt(sum / (static_cast<double>(points.size()) - 2 * static_cast<double>(lines)));
}

/// A range that its line does not describe determines nothing but where it begins, although others may do well.
inline void forget_poor(fitted<piecewise_hockney>& f, std::size_t segment, std::span<hockney::point const> points) {
    auto const rms = rms_of(f.model, points, 1);
    if (rms <= acceptable_residual) return;
    for (auto& p : f.parameters)
        if (p.segment == segment && p.name != "break") forget(p);
    char words[80];
    std::snprintf(words, sizeof words, "from %.0f B on the model does not describe these data: residuals of %.0f %%",
                  points.front().size.count(), 100 * rms);
    f.note.append(f.note.empty() ? "" : "; ").append(words);
}

inline std::string in_us(seconds t) {
    char text[32];
    auto const us = 1e6 * t.count();
    std::snprintf(text, sizeof text, us < 1000 ? "%.4g us" : "%.0f us", us);
    return text;
}

/// What was measured without a byte: alpha of a line is another number, which all sizes have a say in.
inline std::string without_bytes(hockney_points const& points) {
    auto const some = std::find_if(points.begin(), points.end(), [](auto const& p) { return p.size.count() > 0; });
    seconds sum{};
    for (auto p = points.begin(); p != some; ++p) sum += p->time;
    if (some == points.begin()) return "";
    return "T(0) was measured: " + in_us(sum / static_cast<double>(some - points.begin()));
}

inline std::string left_out(hockney_points const& outliers) {
    constexpr std::size_t most = 4;
    if (outliers.empty()) return "";
    auto words = "far above their neighbours and left out: " + std::to_string(outliers.size()) +
                 (outliers.size() == 1 ? " point, " : " points, ");
    for (std::size_t i = 0; i != std::min(most, outliers.size()); ++i)
        words.append(i == 0 ? "" : ", ")
            .append(in_us(outliers[i].time) + " at " + sonde::detail::text_of(outliers[i].size.count()) + " B");
    return outliers.size() > most ? words + ", .." : words;
}

inline std::string note_of(hockney_data const& data) {
    auto const a = left_out(data.outliers), b = without_bytes(data.points);
    return a.empty() || b.empty() ? a + b : a + "; " + b;
}

} // namespace detail

/// Hockney's model of each range of sizes that the data show to have a line of its own.
///
/// Single points, or two side by side, that are far above the lines of their neighbours are left out, and named in the
/// note (`lone_outliers`). Breaks are where the lines of all segments together leave least, and where the lines on both
/// sides differ by the errors of each, whatever single point is left out (`segments_of`). A segment has 4 points or
/// more; its intervals are of its own residuals, which are taken to be as large, relative to the time, for all of its
/// sizes. Parameters of each segment: "alpha" (s), "r_inf" (B/s), "n_half" (B), and of those after the first "break"
/// (B), its first size. Messages that are all long determine no alpha (an upper bound), tiny ones no r_inf (a lower
/// bound). The note tells T(0) where it was measured. What a point's `resolution` hides is neither a segment nor
/// certainty.
///
/// Throws cannot_fit for fewer than 3 points, one size, more than 2000, times that are not positive, negative sizes.
[[nodiscard]] inline fitted<piecewise_hockney> fit(std::vector<hockney::point> const& points) {
    detail::hockney_data const data{detail::in_order(points)};
    line_costs const costs{data.costed};
    auto const begins = segments_of(costs);
    fitted<piecewise_hockney> result;
    result.note = detail::note_of(data);
    for (std::size_t k = 0; k != begins.size(); ++k) {
        auto const end = k + 1 == begins.size() ? costs.size() : begins[k + 1];
        auto const at = [&](std::size_t place) {
            return data.points.begin() + static_cast<std::ptrdiff_t>(costs.points_before(place));
        };
        detail::hockney_line const line{{at(begins[k]), at(end)}};
        result.model.segments.push_back({at(begins[k])->size, line.model()});
        if (k != 0) result.parameters.push_back(break_parameter(costs, begins, k));
        line.tell(result.parameters, k);
        detail::forget_poor(result, k, {at(begins[k]), at(end)});
        result.condition = std::max(result.condition, line.condition());
    }
    result.residual_rms = detail::rms_of(result.model, data.points, begins.size());
    result.from = data.points.front().size;
    result.to = data.points.back().size;
    result.points = data.points.size();
    return settled(std::move(result));
}

} // namespace sonde::model
