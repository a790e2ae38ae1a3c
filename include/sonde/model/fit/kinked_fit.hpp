// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/estimate.hpp>
#include <sonde/model/fit/interval.hpp>
#include <sonde/model/fit/kink_search.hpp>
#include <sonde/model/fit/kinked_ranges.hpp>

#include <Eigen/Dense>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace sonde::model {

/// The best fit of a model with a kink, what its parameters are worth, and whether the data need the kink at all.
class kinked_fit {
public:
    explicit kinked_fit(kinked_data data)
        : data_{std::move(data)}, search_{data_, data_.measured}, best_{search_.best()} {
        for (int i = 0; i != 2; ++i) { // relative to the model: to what was measured, noise would make it too small
            auto const model = model_of(best_);
            if (!(model.minCoeff() > 0)) break; // no residual is relative to no time
            search_ = kink_search{data_, model};
            best_ = search_.best();
        }
        freedom_ = static_cast<double>(data_.points() - 3);
        all_above_ = possible(search_.at_most_first());
        all_below_ = possible(search_.at_least_last());
        ranges_.emplace(search_, best_.squares + reach());
    }
    kinked_fit(kinked_fit const&) = delete;
    kinked_fit& operator=(kinked_fit const&) = delete;

    kinked_data const& data() const { return data_; }
    kinked_solution const& best() const { return best_; }
    /// All points may as well be above the kink, as far as the data tell.
    bool all_above() const { return all_above_; }
    /// All points may as well be below the kink.
    bool all_below() const { return all_below_; }
    /// What the data allow with a probability of 95 %, each parameter for all values of the others, and the kink.
    kinked_ranges const& ranges() const { return *ranges_; }
    /// The same of a bound: what noise makes the best need not be so, where all points may be on one side of the kink.
    kinked_range bounds(int parameter) const {
        auto worst = best_.squares;
        if (all_above_) worst = std::max(worst, search_.at_most_first().squares);
        if (all_below_) worst = std::max(worst, search_.at_least_last().squares);
        return kinked_ranges{search_, worst + reach()}.of(parameter);
    }
    double rms() const { return std::sqrt(best_.squares / freedom_); }

    /// With the Jacobian of the relative residuals.
    estimate whole() const {
        auto const scale = model_of(best_);
        Eigen::MatrixXd const jacobian = scale.cwiseInverse().asDiagonal() * data_.rows(best_.low);
        return estimate_of(best_.values, jacobian, residuals());
    }
    /// Of the points in the order of their positions.
    Eigen::VectorXd residuals() const {
        auto const scale = model_of(best_);
        return Eigen::VectorXd::Ones(scale.size()) - data_.measured.cwiseQuotient(scale);
    }

private:
    Eigen::VectorXd model_of(kinked_solution const& s) const { return data_.rows(s.low) * s.values; }
    /// So many squares more are allowed.
    double reach() const { return std::pow(student_quantile(freedom_), 2) * variance(); }
    double variance() const { return std::max(best_.squares / freedom_, rounding_residual * rounding_residual); }
    // The kink was looked for in many places, so a chance of 5 % that noise makes one would become many times that.
    bool possible(kinked_solution const& edge) const {
        auto const t = boost::math::quantile(boost::math::students_t{freedom_}, 1 - 0.5e-4);
        return edge.squares - best_.squares <= t * t * variance();
    }

    kinked_data data_;
    kink_search search_;
    kinked_solution best_;
    double freedom_ = 0;
    bool all_above_ = false;
    bool all_below_ = false;
    std::optional<kinked_ranges> ranges_;
};

} // namespace sonde::model
