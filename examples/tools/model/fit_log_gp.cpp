// SPDX-License-Identifier: BSL-1.0
#include "fit_of.hpp"

#include <sonde/model/fit/log_gp.hpp>
#include <sonde/model/points.hpp>

namespace tools::model {

namespace {

using point = sonde::model::piecewise_log_gp::point;

/// One message; and many, without the way back, which takes as long as one.
void add(point const& p, std::vector<observation>& to) {
    auto const one = p.prtt_1 / 2;
    to.push_back({{.bytes = p.size.count()}, one});
    to.push_back({{.bytes = p.size.count(), .messages = p.messages}, p.prtt_n - one});
}

} // namespace

fit_result log_gp_fit(selection const& chosen) {
    auto const points = sonde::model::points_of<sonde::model::piecewise_log_gp>(chosen.round_trips);
    auto found = result_of(chosen, sonde::model::fit(points));
    for (auto const& p : points) add(p, found.data);
    return found;
}

} // namespace tools::model
