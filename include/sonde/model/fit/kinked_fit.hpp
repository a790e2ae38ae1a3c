// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/estimate.hpp>
#include <sonde/model/fit/interval.hpp>
#include <sonde/model/fit/kink_search.hpp>

#include <Eigen/Dense>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sonde::model {

/// The best fit of a model with a kink, what its parameters are worth, and whether the data need the kink at all.
class kinked_fit {
public:
    explicit kinked_fit(kinked_data data)
        : data_{std::move(data)}, search_{data_, data_.measured}, best_{search_.best()} {
        for (int i = 0; i != 2; ++i) { // relative to the model: to what was measured, noise would make it too small
            search_ = kink_search{data_, model_of(best_)};
            best_ = search_.best();
        }
        freedom_ = static_cast<double>(data_.points() - 3);
        variance_ = std::max(best_.squares / freedom_, rounding_residual * rounding_residual);
        all_above_ = possible(search_.at_most_first());
        all_below_ = possible(search_.at_least_last());
    }

    kinked_solution const& best() const { return best_; }
    /// All points may as well be above the kink, as far as the data tell.
    bool all_above() const { return all_above_; }
    /// All points may as well be below the kink.
    bool all_below() const { return all_below_; }
    kinked_solution of_all_below() const { return search_.at_least_last(); }

    /// What a solution is worth: of a parameter that no row depends on, or that another makes up for, nothing is known.
    estimate worth(kinked_solution const& s) const {
        auto const scale = model_of(s);
        Eigen::MatrixXd const jacobian = scale.cwiseInverse().asDiagonal() * data_.rows(s.low);
        Eigen::VectorXd const residuals = Eigen::VectorXd::Ones(scale.size()) - data_.measured.cwiseQuotient(scale);
        auto const whole = estimate_of(s.values, jacobian, residuals);
        return whole.full_rank ? whole : without_dependent(whole, residuals);
    }

    /// The solution of the smallest kink that the data allow with a probability of 95 %, of positions measured.
    kinked_solution smallest_kink() const { return farthest(data_.at(0)); }
    /// The same of the largest.
    kinked_solution largest_kink() const { return farthest(data_.at(data_.points() - 1)); }

private:
    Eigen::VectorXd model_of(kinked_solution const& s) const { return data_.rows(s.low) * s.values; }

    // The kink was looked for in many places, so a chance of 5 % that noise makes one would become many times that.
    bool possible(kinked_solution const& edge) const {
        auto const t = boost::math::quantile(boost::math::students_t{freedom_}, 1 - 0.5e-4);
        return edge.squares - best_.squares <= t * t * variance_;
    }
    bool allowed(kinked_solution const& s) const {
        auto const t = student_quantile(freedom_);
        return s.squares - best_.squares <= t * t * variance_;
    }
    /// Towards an end of the positions, as far as data allow: by halves.
    kinked_solution farthest(double end) const {
        auto good = std::clamp(best_.kink(), data_.at(0), data_.at(data_.points() - 1));
        auto bad = end;
        if (allowed(search_.of_kink(end))) return search_.of_kink(end);
        for (int i = 0; i != 40; ++i) {
            auto const middle = (good + bad) / 2;
            (allowed(search_.of_kink(middle)) ? good : bad) = middle;
        }
        return search_.of_kink(good);
    }
    static estimate without_dependent(estimate const& whole, Eigen::VectorXd const& residuals);

    kinked_data data_;
    kink_search search_;
    kinked_solution best_;
    double freedom_ = 0;
    double variance_ = 0;
    bool all_above_ = false;
    bool all_below_ = false;
};

/// Without the second parameter, or where rows do not depend on the first, without that.
inline estimate kinked_fit::without_dependent(estimate const& whole, Eigen::VectorXd const& residuals) {
    Eigen::Index const kept = whole.jacobian.col(0).norm() > 0 ? 0 : 1;
    Eigen::MatrixXd pair(whole.jacobian.rows(), 2);
    pair << whole.jacobian.col(kept), whole.jacobian.col(2);
    auto const two = estimate_of(Eigen::Vector2d{whole.values(kept), whole.values(2)}, pair, residuals);
    auto reduced = whole;
    reduced.rms = two.rms;
    reduced.freedom = two.freedom;
    reduced.covariance(kept, kept) = two.covariance(0, 0);
    reduced.covariance(2, 2) = two.covariance(1, 1);
    return reduced;
}

namespace detail {

/// The kink, with the interval of those that the data allow: it need not be as wide on both sides, since what a point
/// says of the kink depends on the side on which it is.
inline parameter between(label as, kinked_fit const& fit) {
    return named(std::move(as), fit.best().kink(), fit.smallest_kink().kink(), fit.largest_kink().kink());
}

} // namespace detail

} // namespace sonde::model
