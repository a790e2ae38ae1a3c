// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "fitting.hpp"

#include <vector>

namespace tools::model {

/// What `fit` is for each model: apart, since each takes long to compile.
fit_result hockney_fit(selection const& chosen);
fit_result multi_fit(selection const& chosen, sonde::model::latency_form form);
fit_result max_rate_fit(selection const& chosen);
fit_result log_gp_fit(selection const& chosen);

template <class Point>
std::vector<Point> points_of(std::vector<observation> const& all, auto make) {
    std::vector<Point> points;
    for (auto const& o : all) points.push_back(make(o));
    return points;
}

template <class Model>
fit_result result_of(selection const& chosen, sonde::model::fit_result<Model> const& f) {
    return {chosen.model,
            {f.model, f.parameters, f.residual_rms, f.from, f.to, f.points, f.condition_number, f.note},
            chosen.points};
}

} // namespace tools::model
