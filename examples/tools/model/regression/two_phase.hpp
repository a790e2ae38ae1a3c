// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/model/regression/fit_result.hpp"
#include "tools/model/regression/least_squares.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

// Two-phase regression: a continuous model with one breakpoint, which is linear below and above it.

namespace tools::regression {

/// Observations of a model that is continuous, and linear in the non-negative parameters (u, v, w) on either side of
/// its breakpoint v / u. Points are in ascending order of their position.
struct two_phase_data {
    Eigen::VectorXd position;
    Eigen::MatrixX3d below; // row of the design matrix of each point if it is below the breakpoint
    Eigen::MatrixX3d above; // and if it is above; both rows give the same value at the breakpoint
    Eigen::VectorXd measured;

    explicit two_phase_data(Eigen::Index points)
        : position(points), below(points, 3), above(points, 3), measured(points) {}
    Eigen::Index points() const { return position.size(); }
    /// Design matrix if the first `low` points are below the breakpoint.
    Eigen::MatrixX3d rows(Eigen::Index low) const {
        auto mixed = above;
        mixed.topRows(low) = below.topRows(low);
        return mixed;
    }
};

struct two_phase_solution {
    Eigen::Vector3d values = Eigen::Vector3d::Zero();
    double squares = unlimited; // weighted sum of squared residuals; `unlimited`: no solution
    Eigen::Index low = 0;       // number of points below the breakpoint

    /// 0 if the model does not depend on the position, so that any breakpoint would do; `unlimited` if all points are
    /// below it.
    double breakpoint() const { return values(1) == 0 ? 0 : values(0) > 0 ? values(1) / values(0) : unlimited; }
};

/// Non-negative least squares with a given active set. The parameters are a combination of some of three generators,
/// with coefficients that must not be negative.
class active_set {
public:
    /// `rows`: triangular factor of all weighted rows; its last column belongs to the measured values. Generator j, a
    /// column, is active if `active` has bit j.
    active_set(Eigen::Matrix4d const& rows, Eigen::Matrix3d const& generators, unsigned active)
        : generators_{generators} {
        auto const is_active = [&](int j) { return (active >> j & 1U) != 0; };
        for (int j = 0; j != 3; ++j)
            if (!is_active(j)) generators_.col(j).setZero();
        Eigen::Matrix4d products;
        products << rows.leftCols<3>() * generators_, rows.col(3);
        for (int i = 0; i != 4; ++i) add_row(r_, Eigen::Vector4d{products.row(i)});
        for (int j = 0; j != 3; ++j)
            if (!is_active(j)) r_(j, j) = 1; // its row is zero: the coefficient is 0
            else independent_ = independent_ && std::fabs(r_(j, j)) > 1e-12 * r_.col(j).norm();
    }

    /// False if the generators are dependent: a smaller set then fits as well.
    bool independent() const { return independent_; }
    /// Minimum of the sum of squares.
    double squares() const { return r_(3, 3) * r_(3, 3); }
    /// Parameters at the minimum; empty if a coefficient would be negative.
    std::optional<Eigen::Vector3d> best() const { return combination(r_.col(3).head<3>()); }
    /// The parameters at which one parameter is largest (sign 1) or smallest (sign -1), among all whose sum of squares
    /// exceeds the minimum by `more`; empty if a coefficient would be negative.
    std::optional<Eigen::Vector3d> extreme(int parameter, double sign, double more) const {
        Eigen::Vector3d const gradient =
            r().transpose().triangularView<Eigen::Lower>().solve(generators_.row(parameter).transpose());
        auto const length = gradient.norm();
        return length == 0 ? best() : combination(r_.col(3).head<3>() + sign * std::sqrt(more) / length * gradient);
    }

private:
    Eigen::Matrix3d r() const { return r_.topLeftCorner<3, 3>(); }
    std::optional<Eigen::Vector3d> combination(Eigen::Vector3d const& right) const {
        Eigen::Vector3d const coefficients = r().triangularView<Eigen::Upper>().solve(right);
        if (!(coefficients.minCoeff() >= 0) || !(coefficients.maxCoeff() < unlimited)) return {};
        return generators_ * coefficients;
    }

    Eigen::Matrix3d generators_;
    Eigen::Matrix4d r_ = Eigen::Matrix4d::Zero(); // triangular factor of the rows by coefficients
    bool independent_ = true;
};

// Exact least squares of the residuals (model - measured) / scale, over all breakpoints. A gap is the range between two
// neighboring positions, or beyond all positions. While the breakpoint stays in a gap, the model is linear and its
// parameters form a cone with three generators. The minimum belongs to one of the sets of active generators.

struct breakpoint_gap {
    Eigen::Index low; // number of points below
    double from;
    double to;            // `unlimited` beyond all positions
    Eigen::Matrix4d rows; // triangular factor of the rows of all points, with the measured values

    /// Lower bound of the squares of all solutions in the gap.
    double least() const { return rows(3, 3) * rows(3, 3); }
};
using breakpoint_gaps = std::vector<breakpoint_gap>; // in ascending order; none between equal positions

inline breakpoint_gaps gaps_of(two_phase_data const& data, Eigen::VectorXd const& scale) {
    auto const n = data.points();
    auto const row = [&](Eigen::MatrixX3d const& rows, Eigen::Index i) -> Eigen::Vector4d {
        return Eigen::Vector4d{rows(i, 0), rows(i, 1), rows(i, 2), data.measured(i)} / scale(i);
    };
    std::vector<Eigen::Matrix4d> above(static_cast<std::size_t>(n) + 1, Eigen::Matrix4d::Zero());
    for (auto i = above.size() - 1; i-- != 0;) {
        above[i] = above[i + 1];
        add_row(above[i], row(data.above, static_cast<Eigen::Index>(i)));
    }
    breakpoint_gaps gaps;
    Eigen::Matrix4d below = Eigen::Matrix4d::Zero();
    for (Eigen::Index low = 0; low != n + 1; ++low) {
        auto const from = low == 0 ? 0 : data.position(low - 1), to = low == n ? unlimited : data.position(low);
        auto& rows = above[static_cast<std::size_t>(low)];
        for (int j = 0; j != 4; ++j) add_row(rows, Eigen::Vector4d{below.row(j)});
        if (low == 0 || from < to) gaps.push_back({low, from, to, rows});
        if (low != n) add_row(below, row(data.below, low));
    }
    return gaps;
}

/// Calls visit(active_set) for each set of independent generators of a gap.
template <class Visit>
void for_each_active_set(breakpoint_gap const& g, Visit visit) {
    bool const last = g.to == unlimited;
    // The breakpoint at either end of the gap; a constant.
    Eigen::Matrix3d const generators{{1, last ? 0.0 : 1.0, 0}, {g.from, last ? 1.0 : g.to, 0}, {0, 0, 1}};
    for (auto const active : {7U, 5U, 6U, 4U, 3U, 1U, 2U}) {
        if (g.from == g.to && (active & 2U) != 0) continue; // both ends are the same
        if (active_set const set{g.rows, generators, active}; set.independent()) visit(set);
    }
}

/// Best solution with the breakpoint in a gap.
inline two_phase_solution best_in(breakpoint_gap const& g) {
    two_phase_solution found;
    for_each_active_set(g, [&](active_set const& set) {
        if (!(set.squares() < found.squares)) return;
        if (auto const values = set.best()) found = {*values, set.squares(), g.low};
    });
    return found;
}

/// Best solution. A breakpoint beyond all positions is equivalent to a breakpoint at the last position.
inline two_phase_solution best_of(breakpoint_gaps const& gaps) {
    two_phase_solution found;
    for (auto const& g : gaps)
        if (g.to < unlimited && g.least() < found.squares)
            if (auto const other = best_in(g); other.squares < found.squares) found = other;
    return found;
}

/// Best solution with this breakpoint.
inline two_phase_solution best_at(breakpoint_gaps const& gaps, double breakpoint) {
    auto g = *std::lower_bound(gaps.begin(), gaps.end(), breakpoint,
                               [](breakpoint_gap const& gap, double at) { return gap.to < at; });
    g.from = g.to = breakpoint;
    return best_in(g);
}

struct value_range {
    double low = unlimited;
    double high = 0;

    void add(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

/// Exact ranges of the parameters and of the breakpoint, over all solutions whose sum of squares is at most a limit.
struct confidence_region {
    value_range parameters[3]; // u, v, w
    value_range breakpoint;
};

/// In each gap the solutions are an ellipsoid cut by a cone.
inline confidence_region region_of(breakpoint_gaps const& gaps, double squares) {
    // The breakpoint farthest towards an end of a gap that the region includes, by bisection.
    auto const farthest = [&](double inside, double end) {
        auto const includes = [&](double at) { return best_at(gaps, at).squares <= squares; };
        if (includes(end)) return end;
        for (int i = 0; i != 40; ++i) {
            auto const middle = (inside + end) / 2;
            (includes(middle) ? inside : end) = middle;
        }
        return inside;
    };
    confidence_region region;
    for (auto const& g : gaps) {
        if (g.least() > squares) continue;
        for_each_active_set(g, [&](active_set const& set) {
            if (set.squares() > squares) return;
            for (int i = 0; i != 3; ++i)
                for (auto const sign : {-1.0, 1.0})
                    if (auto const at = set.extreme(i, sign, squares - set.squares()))
                        region.parameters[i].add((*at)(i));
        });
        auto const best = best_in(g);
        if (best.squares > squares) continue;
        auto const inside = std::clamp(best.breakpoint(), g.from, g.to);
        if (inside <= region.breakpoint.low) region.breakpoint.low = farthest(inside, g.from);
        if (g.to < unlimited) region.breakpoint.high = farthest(inside, g.to);
    }
    return region;
}

/// The best fit of a two-phase model, with confidence intervals, and whether the data need the breakpoint.
struct two_phase_fit {
    two_phase_data data;
    breakpoint_gaps gaps;
    two_phase_solution best;
    bool all_above;           // the data do not exclude that all points are above the breakpoint
    bool all_below;           // the data do not exclude that all points are below the breakpoint
    confidence_region region; // 95 % intervals of each parameter, for all values of the others, and of the breakpoint

    explicit two_phase_fit(two_phase_data observed)
        : data{std::move(observed)}, gaps{gaps_of(data, data.measured)}, best{best_of(gaps)} {
        for (int i = 0; i != 2; ++i) { // weights of the model: weights of measured values make the fit too low
            auto const model = model_values();
            if (!(model.minCoeff() > 0)) break;
            gaps = gaps_of(data, model);
            best = best_of(gaps);
        }
        // False if noise alone explains the difference to the best fit in fewer than 0.01 % of all cases. The level is
        // not 5 %, because the breakpoint is the best of many positions, and 5 % at each position would add up to much
        // more.
        auto const is_plausible = [&](two_phase_solution const& s) {
            return s.squares - best.squares <= allowed_squares(1 - 0.5e-4);
        };
        all_above = is_plausible(above());
        all_below = is_plausible(below());
        region = region_of(gaps, best.squares + allowed_squares());
    }

    double rms() const { return std::sqrt(best.squares / freedom()); }
    /// Relative residuals, in the order of positions.
    Eigen::VectorXd residuals() const {
        return Eigen::VectorXd::Ones(data.points()) - data.measured.cwiseQuotient(model_values());
    }
    least_squares_result least_squares() const {
        auto result = fit_weighted(data.rows(best.low), data.measured, model_values());
        result.values = best.values;
        return result;
    }

    /// Estimate of u (0), v (1) or w (2); an upper bound if it may be zero.
    parameter_estimate parameter(parameter_id id, int i) const {
        auto const [low, high] = region.parameters[i];
        if (!(high < unlimited)) return undetermined(std::move(id), best.values(i));
        return low > 0 ? make_parameter(std::move(id), best.values(i), low, high) : upper_bound(std::move(id), high);
    }
    /// Estimate of a rate, the reciprocal of u (0) or v (1); a lower bound if this parameter may be zero, or if
    /// `only_bound`. With `only_bound` the bound also holds if all points are on one side of the breakpoint.
    parameter_estimate rate_parameter(parameter_id id, int i, bool only_bound) const {
        if (!only_bound) return reciprocal(parameter(std::move(id), i));
        auto const worst = std::max({best.squares, all_above ? above().squares : 0, all_below ? below().squares : 0});
        auto const high = region_of(gaps, worst + allowed_squares()).parameters[i].high;
        return high > 0 && high < unlimited ? lower_bound(std::move(id), 1 / high)
                                            : undetermined(std::move(id), reciprocal_of(best.values(i)));
    }
    /// Estimate of the breakpoint; a bound if all points may be on one side of it. Its interval is not symmetric,
    /// because each point bounds it on one side only.
    parameter_estimate breakpoint_parameter(parameter_id id) const {
        auto const [low, high] = region.breakpoint;
        if (all_above && all_below) return undetermined(std::move(id), best.breakpoint());
        if (all_above) return upper_bound(std::move(id), high);
        if (all_below) return lower_bound(std::move(id), low);
        return make_parameter(std::move(id), best.breakpoint(), low, high);
    }

private:
    double freedom() const { return static_cast<double>(data.points() - 3); }
    Eigen::VectorXd model_values() const { return data.rows(best.low) * best.values; }
    two_phase_solution above() const { return best_in(gaps.front()); }
    two_phase_solution below() const { return best_at(gaps, gaps.back().from); }
    /// By how much the sum of squares of a solution may exceed the best sum, by the quantile of this probability.
    double allowed_squares(double probability = 0.975) const {
        auto const variance = std::max(best.squares / freedom(), rounding_residual * rounding_residual);
        return std::pow(student_quantile(freedom(), probability), 2) * variance;
    }
};

} // namespace tools::regression
