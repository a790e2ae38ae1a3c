// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/model/regression/fit_result.hpp"

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

/// True if a parameter is determined and its interval covers the truth.
inline bool holds(tools::regression::parameter_estimate const& p, double truth) {
    return p.status == tools::regression::parameter_status::determined && covers(p, truth);
}

} // namespace covering
