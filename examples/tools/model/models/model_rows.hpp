// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/model/fit/fit.hpp"
#include "tools/model/models.hpp"
#include "tools/model/regression/fit_result.hpp"
#include "tools/records/log.hpp"

#include <sonde/clock.hpp>
#include <sonde/model.hpp>

#include <vector>

namespace tools::model {

using sonde::model::latency_form;

// Each model's row is defined in the file of the model.
extern model_row const hockney_row, multi_row, max_rate_row, log_gp_row;

template <class Model>
fit_result result_of(selection const& data, regression::fit_result<Model> const& f) {
    return {data.kind,
            {f.model, f.parameters, f.residual_rms, f.from, f.to, f.points, f.condition_number, f.note},
            data.points};
}

template <class Point>
std::vector<Point> points_of(selection const& data, Point (*point_of)(observation const&)) {
    std::vector<Point> points;
    for (auto const& o : data.points) points.push_back(point_of(o));
    return points;
}

} // namespace tools::model
