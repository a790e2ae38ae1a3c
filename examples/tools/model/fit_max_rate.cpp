// SPDX-License-Identifier: BSL-1.0
#include "fit_of.hpp"

#include <sonde/model/fit/max_rate.hpp>

namespace tools::model {

fit_result max_rate_fit(selection const& chosen) {
    using point = sonde::model::max_rate::point;
    auto const make = [](observation const& o) {
        return point{sonde::model::bytes{o.at.bytes}, o.at.pairs, o.measured};
    };
    return result_of(chosen, sonde::model::fit(points_of<point>(chosen.points, make)));
}

} // namespace tools::model
