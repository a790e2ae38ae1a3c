// SPDX-License-Identifier: BSL-1.0
#include "fit_of.hpp"

#include <sonde/model/fit/hockney.hpp>

namespace tools::model {

fit_result hockney_fit(selection const& chosen) {
    using point = sonde::model::hockney::point;
    auto const make = [](observation const& o) {
        return point{sonde::model::bytes{o.at.bytes}, o.measured, o.resolution};
    };
    return result_of(chosen, sonde::model::fit(points_of<point>(chosen.points, make)));
}

} // namespace tools::model
