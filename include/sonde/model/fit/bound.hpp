// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/interval.hpp>
#include <sonde/model/fit/result.hpp>

#include <limits>
#include <utility>

namespace sonde::model::detail {

/// A parameter of which the data say only that it is not smaller.
inline parameter at_least(label as, double bound) {
    auto p = named(std::move(as), bound, bound, std::numeric_limits<double>::infinity());
    p.stands = standing::lower_bound;
    return p;
}

/// A parameter of which the data say only that it is not larger.
inline parameter at_most(label as, double bound) {
    auto p = named(std::move(as), bound, 0, bound);
    p.stands = standing::upper_bound;
    return p;
}

/// A parameter of which the data say nothing, where the fit ended with `value`.
inline parameter unknown(label as, double value) {
    auto p = named(std::move(as), value, value, value);
    forget(p);
    return p;
}

} // namespace sonde::model::detail
