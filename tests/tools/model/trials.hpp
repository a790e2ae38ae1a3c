// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/model/regression/fit_result.hpp"

#include <cmath>

namespace covering {

/// The fraction of trials with a property.
class fraction {
public:
    void add(bool was_so) {
        so_ += was_so ? 1 : 0;
        ++all_;
    }
    double of_all() const { return static_cast<double>(so_) / all_; }

private:
    int so_ = 0;
    int all_ = 0;
};

/// True if the interval covers the truth; a bound's interval ends at zero or is unbounded.
inline bool covers(tools::regression::parameter_estimate const& p, double truth) {
    return p.low <= truth && truth <= p.high;
}

} // namespace covering

/// Estimates of a parameter in many trials, with errors relative to the truth.
class trials {
public:
    explicit trials(double truth) : truth_{truth} {}

    /// Adds a fit's value and its reported parameter.
    void add(double value, tools::regression::parameter_estimate const& reported) {
        auto const error = value / truth_ - 1;
        ++count_;
        sum_ += error;
        squares_ += error * error;
        covered_ += covering::covers(reported, truth_);
        determined_ += reported.status == tools::regression::parameter_status::determined;
    }
    double bias() const { return sum_ / count_; }
    /// The standard deviation of the relative errors.
    double scatter() const { return std::sqrt(squares_ / count_ - bias() * bias()); }
    /// The fraction of intervals that cover the truth.
    double coverage() const { return covered_ / count_; }
    double determined() const { return determined_ / count_; }

private:
    double truth_;
    double count_ = 0;
    double sum_ = 0;
    double squares_ = 0;
    double covered_ = 0;
    double determined_ = 0;
};
