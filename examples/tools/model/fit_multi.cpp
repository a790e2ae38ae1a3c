// SPDX-License-Identifier: BSL-1.0
#include "fit_of.hpp"

#include <sonde/model/fit/multi_ping_pong.hpp>

namespace tools::model {

fit_result multi_fit(selection const& chosen, sonde::model::latency_form form) {
    using point = sonde::model::multi_ping_pong::point;
    auto const make = [](observation const& o) {
        return point{sonde::model::bytes{o.at.bytes}, o.at.repetitions, o.measured};
    };
    return result_of(chosen, sonde::model::fit(points_of<point>(chosen.points, make), form));
}

} // namespace tools::model
