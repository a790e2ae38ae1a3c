// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/interval.hpp>
#include <sonde/model/fit/least_squares.hpp>
#include <sonde/model/fit/ratio.hpp>
#include <sonde/model/fit/result.hpp>
#include <sonde/model/hockney.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <optional>
#include <vector>

namespace sonde::model::detail {

/// What rounding makes of a time, relative to it: half a unit is the end of what may be, its root of 3 the deviation.
inline double rounding_of(hockney::point const& p) { return p.resolution / p.time / std::numbers::sqrt3; }

/// A parameter that two fits have a say in: it is what the second says, as uncertain as both together.
inline parameter of_both(parameter free, parameter const& bound) {
    auto const bounds = [](parameter const& p) { return p.stands != standing::determined; };
    if (bounds(free)) return free;
    free.low = std::min(free.low, bound.low);
    free.high = std::max(free.high, bound.high);
    free.value = bound.value;
    free.stands = bound.stands;
    if (!bounds(free) && free.high > widest_interval * free.low) free.stands = standing::undetermined;
    return free;
}

/// A line through the points of a segment, by alpha and 1 / r_inf, neither of which is negative.
class hockney_line {
public:
    explicit hockney_line(std::vector<hockney::point> const& points)
        : rows_(static_cast<Eigen::Index>(points.size()), 2), times_(rows_.rows()), floors_(rows_.rows()) {
        for (Eigen::Index i = 0; i != rows_.rows(); ++i) {
            auto const& p = points[static_cast<std::size_t>(i)];
            rows_.row(i) << 1, p.size.count();
            times_(i) = p.time.count();
            floors_(i) = rounding_of(p);
        }
        free_ = least_squares(rows_, times_, floors_);
        if (free_.values(1) <= 0) constant_ = least_squares(rows_.col(0), times_, floors_);
        else if (free_.values(0) < 0) through_origin_ = least_squares(rows_.col(1), times_, floors_);
    }

    /// Nothing takes less than no time: where the line would have it, it is the best one that does not.
    hockney model() const {
        if (constant_) return {seconds{constant_->values(0)}, rate{std::numeric_limits<double>::infinity()}};
        if (through_origin_) return {seconds{0}, rate{1 / through_origin_->values(0)}};
        return {seconds{free_.values(0)}, rate{1 / free_.values(1)}};
    }
    double condition() const { return free_.condition(); }
    void tell(std::vector<parameter>& all, std::size_t segment) const {
        all.push_back(alpha(segment));
        all.push_back(r_inf(segment));
        all.push_back(ratio_parameter({"n_half", "B", segment}, free_, 0, 1));
    }

private:
    parameter alpha(std::size_t segment) const {
        auto const of = [&](estimate const& e) {
            return linear_parameter({"alpha", "s", segment}, e.values(0), e.deviation(Eigen::Index{0}), e.freedom);
        };
        return constant_ ? of_both(of(free_), of(*constant_)) : of(free_);
    }
    parameter r_inf(std::size_t segment) const {
        auto const of = [&](estimate const& e, Eigen::Index i) {
            return reciprocal_parameter({"r_inf", "B/s", segment}, e.values(i), e.deviation(i), e.freedom);
        };
        return through_origin_ ? of_both(of(free_, 1), of(*through_origin_, 0)) : of(free_, 1);
    }

    Eigen::MatrixXd rows_;
    Eigen::VectorXd times_;
    Eigen::VectorXd floors_;
    estimate free_;
    std::optional<estimate> constant_;
    std::optional<estimate> through_origin_;
};

} // namespace sonde::model::detail
