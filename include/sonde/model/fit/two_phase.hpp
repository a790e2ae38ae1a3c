// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/least_squares.hpp>
#include <sonde/model/fit/result.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

// Two-phase regression: a continuous model with one breakpoint, which is linear below and above it.

namespace sonde::model::detail {

/// Observations of a model that is linear, on either side of its breakpoint v / u, in the non-negative parameters
/// (u, v, w), and continuous at the breakpoint. Points are in ascending order of their position.
struct two_phase_data {
    Eigen::VectorXd position;
    Eigen::MatrixX3d below; // row of the design matrix of each point if it is below the breakpoint
    Eigen::MatrixX3d above; // and if it is above; both rows give the same value at the breakpoint
    Eigen::VectorXd measured;

    explicit two_phase_data(Eigen::Index points)
        : position(points), below(points, 3), above(points, 3), measured(points) {}
    Eigen::Index points() const { return position.size(); }
    /// Number of distinct positions below `end`.
    Eigen::Index distinct_positions(double end = infinity) const {
        Eigen::Index count = 0;
        for (Eigen::Index i = 0; i != points() && position(i) < end; ++i)
            count += i == 0 || position(i) != position(i - 1);
        return count;
    }
    /// Design matrix if the first `low` points are below the breakpoint.
    Eigen::MatrixX3d rows(Eigen::Index low) const {
        auto mixed = above;
        mixed.topRows(low) = below.topRows(low);
        return mixed;
    }
};

struct two_phase_solution {
    Eigen::Vector3d values = Eigen::Vector3d::Zero();
    double squares = infinity; // weighted sum of squared residuals; infinite: no solution
    Eigen::Index low = 0;      // number of points below the breakpoint

    /// 0 if the model does not depend on the position, so that any breakpoint would do.
    double breakpoint() const { return values(1) == 0 ? 0 : values(1) / values(0); }
};

/// Non-negative least squares with a given active set: the parameters are a combination, with coefficients that must
/// not be negative, of some of three generators.
class active_set {
public:
    /// `rows`: triangular factor of all weighted rows, the last column that of the measured values. Generator j, a
    /// column, is active if `active` has bit j.
    active_set(Eigen::Matrix4d const& rows, Eigen::Matrix3d const& generators, unsigned active)
        : generators_{generators} {
        auto const is_active = [&](int j) { return (active >> j & 1U) != 0; };
        for (int j = 0; j != 3; ++j)
            if (!is_active(j)) generators_.col(j).setZero();
        Eigen::Matrix4d products, r = Eigen::Matrix4d::Zero();
        products << rows.leftCols<3>() * generators_, rows.col(3);
        for (int i = 0; i != 4; ++i) add_row(r, products.row(i));
        for (int j = 0; j != 3; ++j)
            if (!is_active(j)) r(j, j) = 1; // its row is zero: the coefficient is 0
            else independent_ = independent_ && std::fabs(r(j, j)) > 1e-12 * r.col(j).norm();
        r_ = r.topLeftCorner<3, 3>();
        right_ = r.topRightCorner<3, 1>();
        squares_ = r(3, 3) * r(3, 3);
    }

    /// False if the generators are dependent: a smaller set then fits as well.
    bool independent() const { return independent_; }
    /// Minimum of the sum of squares.
    double squares() const { return squares_; }
    /// Parameters at the minimum; empty if a coefficient would be negative.
    std::optional<Eigen::Vector3d> best() const { return combination(right_); }
    /// Parameters with the largest (sign 1) or smallest (sign -1) value of one of them, among those with `more` squares
    /// above the minimum; empty if a coefficient would be negative.
    std::optional<Eigen::Vector3d> extreme(int parameter, double sign, double more) const {
        Eigen::Vector3d const gradient =
            r_.transpose().triangularView<Eigen::Lower>().solve(generators_.row(parameter).transpose());
        auto const length = gradient.norm();
        return length == 0 ? best() : combination(right_ + sign * std::sqrt(more) / length * gradient);
    }

private:
    std::optional<Eigen::Vector3d> combination(Eigen::Vector3d const& right) const {
        Eigen::Vector3d const coefficients = r_.triangularView<Eigen::Upper>().solve(right);
        if (!(coefficients.minCoeff() >= 0) || !coefficients.allFinite()) return {};
        return generators_ * coefficients;
    }

    Eigen::Matrix3d generators_;
    Eigen::Matrix3d r_;
    Eigen::Vector3d right_;
    double squares_ = 0;
    bool independent_ = true;
};

/// Exact least squares, of residuals (model - measured) / scale, over all breakpoints.
///
/// While the breakpoint stays in a gap, between two neighboring positions or beyond all of them, the model is linear
/// and its parameters form a cone with three generators. The minimum is that of one of the sets of active generators.
class two_phase_search {
public:
    struct gap {
        Eigen::Index low; // number of points below
        double from;
        double to;
        Eigen::Matrix4d rows; // triangular factor of the rows of all points, with the measured values

        /// Lower bound of the squares of all solutions in the gap.
        double least() const { return rows(3, 3) * rows(3, 3); }
    };

    two_phase_search(two_phase_data const& data, Eigen::VectorXd const& scale) {
        auto const n = data.points();
        auto const row = [&](Eigen::MatrixX3d const& rows, Eigen::Index i) -> Eigen::RowVector4d {
            return Eigen::RowVector4d{rows(i, 0), rows(i, 1), rows(i, 2), data.measured(i)} / scale(i);
        };
        std::vector<Eigen::Matrix4d> above(static_cast<std::size_t>(n) + 1, Eigen::Matrix4d::Zero());
        for (auto i = above.size() - 1; i-- != 0;) {
            above[i] = above[i + 1];
            add_row(above[i], row(data.above, static_cast<Eigen::Index>(i)));
        }
        Eigen::Matrix4d below = Eigen::Matrix4d::Zero();
        for (Eigen::Index low = 0; low != n + 1; ++low) {
            auto const from = low == 0 ? 0 : data.position(low - 1), to = low == n ? infinity : data.position(low);
            auto& rows = above[static_cast<std::size_t>(low)];
            for (int j = 0; j != 4; ++j) add_row(rows, below.row(j));
            if (low == 0 || from < to) gaps_.push_back({low, from, to, rows});
            if (low != n) add_row(below, row(data.below, low));
        }
    }

    std::vector<gap> const& gaps() const { return gaps_; }
    /// visit(active_set) for each set of independent generators of a gap.
    template <class Visit>
    static void for_each_active_set(gap const& g, Visit visit) {
        bool const last = g.to == infinity;
        // The breakpoint at either end of the gap; a constant.
        Eigen::Matrix3d const generators{{1, last ? 0.0 : 1.0, 0}, {g.from, last ? 1.0 : g.to, 0}, {0, 0, 1}};
        for (auto const active : {7U, 5U, 6U, 4U, 3U, 1U, 2U})
            if (active_set const set{g.rows, generators, active}; set.independent()) visit(set);
    }
    /// Best solution with the breakpoint in a gap.
    static two_phase_solution best_in(gap const& g) {
        two_phase_solution found;
        for_each_active_set(g, [&](active_set const& set) { keep_better(found, set, g.low); });
        return found;
    }
    /// Best solution. A breakpoint beyond all positions is the same as one at the last position.
    two_phase_solution best() const {
        two_phase_solution found;
        for (auto const& g : gaps_)
            if (g.to < infinity && g.least() < found.squares)
                if (auto const other = best_in(g); other.squares < found.squares) found = other;
        return found;
    }
    /// Best solution with all points above the breakpoint.
    two_phase_solution all_above() const { return best_in(gaps_.front()); }
    /// Best solution with all points below the breakpoint.
    two_phase_solution all_below() const { return best_at(gaps_.back().from); }
    /// Best solution with this breakpoint.
    two_phase_solution best_at(double breakpoint) const {
        auto const& g = *std::lower_bound(gaps_.begin(), gaps_.end(), breakpoint,
                                          [](gap const& each, double b) { return each.to < b; });
        Eigen::Matrix3d const generators{{1, 0, 0}, {breakpoint, 0, 0}, {0, 0, 1}};
        two_phase_solution found;
        for (auto const active : {5U, 4U, 1U})
            if (active_set const set{g.rows, generators, active}; set.independent()) keep_better(found, set, g.low);
        return found;
    }

private:
    static void keep_better(two_phase_solution& found, active_set const& set, Eigen::Index low) {
        if (!(set.squares() < found.squares)) return;
        if (auto const values = set.best()) found = {*values, set.squares(), low};
    }

    std::vector<gap> gaps_; // in ascending order; none between equal positions
};

struct value_range {
    double low = infinity;
    double high = 0;

    void add(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

/// Exact ranges of the parameters and of the breakpoint over all solutions, of all breakpoints, with at most `squares`:
/// in each gap these solutions are an ellipsoid cut by a cone.
class confidence_region {
public:
    confidence_region(two_phase_search const& search, double squares) : search_{search}, squares_{squares} {
        for (auto const& g : search.gaps())
            if (g.least() <= squares) add(g);
    }
    /// Range of u (0), v (1) or w (2).
    value_range const& parameter(int i) const { return parameters_[i]; }
    value_range const& breakpoint() const { return breakpoint_; }

private:
    void add(two_phase_search::gap const& g) {
        two_phase_search::for_each_active_set(g, [&](active_set const& set) {
            if (set.squares() > squares_) return;
            for (int i = 0; i != 3; ++i)
                for (auto const sign : {-1.0, 1.0})
                    if (auto const at = set.extreme(i, sign, squares_ - set.squares())) parameters_[i].add((*at)(i));
        });
        auto const best = two_phase_search::best_in(g);
        if (best.squares > squares_) return;
        auto const inside = std::clamp(best.breakpoint(), g.from, g.to);
        if (inside <= breakpoint_.low) breakpoint_.low = farthest(inside, g.from);
        if (g.to < infinity) breakpoint_.high = farthest(inside, g.to);
    }
    /// The breakpoint farthest towards an end of a gap that the region includes, by bisection.
    double farthest(double inside, double end) const {
        auto const includes = [&](double breakpoint) { return search_.best_at(breakpoint).squares <= squares_; };
        if (includes(end)) return end;
        for (int i = 0; i != 40; ++i) {
            auto const middle = (inside + end) / 2;
            (includes(middle) ? inside : end) = middle;
        }
        return inside;
    }

    two_phase_search const& search_;
    double squares_;
    value_range parameters_[3];
    value_range breakpoint_;
};

/// The best fit of a two-phase model, with confidence intervals, and whether the data need the breakpoint.
class two_phase_fit {
public:
    explicit two_phase_fit(two_phase_data data)
        : data_{std::move(data)}, search_{data_, data_.measured}, best_{search_.best()} {
        for (int i = 0; i != 2; ++i) { // weights of the model: with those of measured values the fit would be too low
            auto const model = model_of(best_);
            if (!(model.minCoeff() > 0)) break;
            search_ = two_phase_search{data_, model};
            best_ = search_.best();
        }
        freedom_ = static_cast<double>(data_.points() - 3);
        all_above_ = is_plausible(search_.all_above());
        all_below_ = is_plausible(search_.all_below());
        region_.emplace(search_, best_.squares + allowed_squares());
    }
    two_phase_fit(two_phase_fit const&) = delete;
    two_phase_fit& operator=(two_phase_fit const&) = delete;

    two_phase_data const& data() const { return data_; }
    two_phase_solution const& best() const { return best_; }
    /// True if the data do not exclude that all points are above the breakpoint.
    bool all_above() const { return all_above_; }
    /// True if the data do not exclude that all points are below the breakpoint.
    bool all_below() const { return all_below_; }
    /// 95 % confidence intervals of each parameter, for all values of the others, and of the breakpoint.
    confidence_region const& region() const { return *region_; }
    double rms() const { return std::sqrt(best_.squares / freedom_); }
    /// Relative residuals, in the order of positions.
    Eigen::VectorXd residuals() const {
        return Eigen::VectorXd::Ones(data_.points()) - data_.measured.cwiseQuotient(model_of(best_));
    }
    least_squares_result least_squares() const {
        Eigen::MatrixXd const jacobian = model_of(best_).cwiseInverse().asDiagonal() * data_.rows(best_.low);
        return make_result(best_.values, jacobian, residuals());
    }

    /// Estimate of u (0), v (1) or w (2); an upper bound if it may be zero.
    parameter_estimate parameter(parameter_id id, int i) const {
        auto const [low, high] = region_->parameter(i);
        if (!std::isfinite(high)) return undetermined(std::move(id), best_.values(i));
        return low > 0 ? make_parameter(std::move(id), best_.values(i), low, high) : upper_bound(std::move(id), high);
    }
    /// Estimate of a rate, the reciprocal of u (0) or v (1); a lower bound if that may be zero, or if `only_bound`.
    parameter_estimate rate_parameter(parameter_id id, int i, bool only_bound) const {
        auto const [low, high] = only_bound ? wide_range(i) : region_->parameter(i);
        if (!std::isfinite(high) || !(high > 0)) return undetermined(std::move(id), 1 / best_.values(i));
        if (only_bound || !(low > 0)) return lower_bound(std::move(id), 1 / high);
        return make_parameter(std::move(id), 1 / best_.values(i), 1 / high, 1 / low);
    }
    /// Estimate of the breakpoint. Its interval is not symmetric, since each point bounds it on one side only.
    parameter_estimate breakpoint_parameter(parameter_id id) const {
        auto const [low, high] = region_->breakpoint();
        return make_parameter(std::move(id), best_.breakpoint(), low, high);
    }

private:
    Eigen::VectorXd model_of(two_phase_solution const& s) const { return data_.rows(s.low) * s.values; }
    double variance() const { return std::max(best_.squares / freedom_, rounding_residual * rounding_residual); }
    /// Squares that a solution of the confidence region may have above the best.
    double allowed_squares() const { return std::pow(student_quantile(freedom_), 2) * variance(); }
    /// True unless noise alone explains the difference to the best fit in fewer than 0.01 % of all cases: the
    /// breakpoint is the best of many positions, so 5 % at each of them would add up to much more.
    bool is_plausible(two_phase_solution const& s) const {
        return s.squares - best_.squares <= std::pow(student_quantile(freedom_, 1 - 0.5e-4), 2) * variance();
    }
    /// Range of a parameter that also holds if all points are on one side of the breakpoint.
    value_range wide_range(int i) const {
        auto worst = best_.squares;
        if (all_above_) worst = std::max(worst, search_.all_above().squares);
        if (all_below_) worst = std::max(worst, search_.all_below().squares);
        return confidence_region{search_, worst + allowed_squares()}.parameter(i);
    }

    two_phase_data data_;
    two_phase_search search_;
    two_phase_solution best_;
    double freedom_ = 0;
    bool all_above_ = false;
    bool all_below_ = false;
    std::optional<confidence_region> region_;
};

} // namespace sonde::model::detail
