// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/break_interval.hpp>
#include <sonde/model/fit/interval.hpp>
#include <sonde/model/fit/least_squares.hpp>
#include <sonde/model/fit/ratio.hpp>
#include <sonde/model/fit/result.hpp>
#include <sonde/model/fit/segments.hpp>
#include <sonde/model/hockney.hpp>
#include <sonde/record.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace sonde::model {

namespace detail {

inline void expect_time(hockney::point const& p) {
    if (std::isfinite(p.size.count()) && p.size.count() >= 0 && std::isfinite(p.time.count()) && p.time.count() > 0)
        return;
    throw cannot_fit{"Hockney's model: a message of " + sonde::detail::text_of(p.size.count()) + " B in " +
                     sonde::detail::text_of(p.time.count()) + " s"};
}

/// In the order of sizes; throws where no line can be fitted.
inline std::vector<hockney::point> in_order(std::vector<hockney::point> points) {
    for (auto const& p : points) expect_time(p);
    if (points.size() < 3)
        throw cannot_fit{"Hockney's model: " + std::to_string(points.size()) + " points; a line and its error need 3"};
    std::stable_sort(points.begin(), points.end(), [](auto const& a, auto const& b) { return a.size < b.size; });
    if (points.front().size == points.back().size)
        throw cannot_fit{"Hockney's model: all points are of " +
                         sonde::detail::text_of(points.front().size.count()) + " B; a line needs two sizes"};
    return points;
}

inline line_costs costs_of(std::vector<hockney::point> const& points) {
    std::vector<double> sizes, times;
    for (auto const& p : points) {
        sizes.push_back(p.size.count());
        times.push_back(p.time.count());
    }
    return {std::move(sizes), std::move(times)};
}

/// A line through a segment's points, by alpha and 1 / r_inf.
struct hockney_line {
    Eigen::MatrixXd rows;
    Eigen::VectorXd times;
    estimate found;

    hockney_line(std::vector<hockney::point> const& points, std::size_t first, std::size_t last)
        : rows(last - first, 2), times(last - first) {
        for (auto i = first; i != last; ++i) {
            auto const row = static_cast<Eigen::Index>(i - first);
            rows.row(row) << 1, points[i].size.count();
            times(row) = points[i].time.count();
        }
        found = least_squares(rows, times);
    }
    /// Nothing takes less than no time: where the line would have it, it is the best one that does not.
    hockney model() const {
        if (found.values(1) <= 0) {
            auto const constant = least_squares(rows.col(0), times).values(0);
            return {seconds{constant}, rate{std::numeric_limits<double>::infinity()}};
        }
        if (found.values(0) < 0) return {seconds{0}, rate{1 / least_squares(rows.col(1), times).values(0)}};
        return {seconds{found.values(0)}, rate{1 / found.values(1)}};
    }
    void tell(std::vector<parameter>& all, std::size_t segment) const {
        auto const& e = found;
        all.push_back(linear_parameter({"alpha", "s", segment}, e.values(0), e.deviation(0), e.freedom));
        all.push_back(reciprocal_parameter({"r_inf", "B/s", segment}, e.values(1), e.deviation(1), e.freedom));
        all.push_back(ratio_parameter({"n_half", "B", segment}, e, 0, 1));
    }
};

inline double squares_of(piecewise_hockney const& model, std::vector<hockney::point> const& points) {
    double sum = 0;
    for (auto const& p : points) sum += std::pow(model.time(p.size) / p.time - 1, 2);
    return sum;
}

/// What was measured without a byte: alpha of a line is another number, which all sizes have a say in.
inline std::string without_bytes(std::vector<hockney::point> const& points) {
    auto const some = std::find_if(points.begin(), points.end(), [](auto const& p) { return p.size.count() > 0; });
    seconds sum{};
    for (auto p = points.begin(); p != some; ++p) sum += p->time;
    if (some == points.begin()) return "";
    return "T(0) was measured: " + sonde::detail::text_of(sum.count() / static_cast<double>(some - points.begin())) +
           " s";
}

} // namespace detail

/// Hockney's model of each range of sizes that the data show to have a line of its own.
///
/// Breaks are placed where the lines of all segments together leave least (`segments_of`); a segment has 3 points or
/// more. Lines are of relative residuals, each segment's intervals of its own ones: small and large messages differ in
/// noise. Parameters of each segment: "alpha" (s), "r_inf" (B/s), "n_half" (B), and of those after the first "break"
/// (B), its first size. Messages that are all long determine no alpha (an upper bound), tiny ones no r_inf (a lower
/// bound). The note tells T(0) where it was measured.
/// Throws cannot_fit for fewer than 3 points, one size, times that are not positive, and negative sizes.
inline fitted<piecewise_hockney> fit(std::vector<hockney::point> const& points) {
    auto const ordered = detail::in_order(points);
    auto const costs = detail::costs_of(ordered);
    auto const begins = segments_of(costs);
    fitted<piecewise_hockney> result;
    for (std::size_t k = 0; k != begins.size(); ++k) {
        auto const last = k + 1 == begins.size() ? ordered.size() : begins[k + 1];
        detail::hockney_line const line{ordered, begins[k], last};
        result.model.segments.push_back({ordered[begins[k]].size, line.model()});
        if (k != 0) result.parameters.push_back(break_parameter(costs, begins, k));
        line.tell(result.parameters, k);
        result.condition = std::max(result.condition, line.found.condition());
    }
    auto const freedom = static_cast<double>(ordered.size()) - 2 * static_cast<double>(begins.size());
    result.residual_rms = std::sqrt(detail::squares_of(result.model, ordered) / freedom);
    result.from = ordered.front().size;
    result.to = ordered.back().size;
    result.points = ordered.size();
    result.note = detail::without_bytes(ordered);
    return result;
}

} // namespace sonde::model
