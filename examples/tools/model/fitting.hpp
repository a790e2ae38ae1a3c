// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "selection.hpp"

#include <sonde/model/fit/result.hpp>

#include <string>
#include <vector>

namespace tools::model {

/// A fit of any model, and what it was made of.
struct fit_result {
    kind which;
    any_model model{};
    std::vector<sonde::model::parameter> parameters{};
    double residual_rms = 0;
    double from = 0, to = 0; // sizes
    double condition = 0;
    std::string note{};
    std::vector<observation> points{}; // in the order of pairs, then sizes

    bool determined() const;
};

/// Throws sonde::model::cannot_fit where no fit can be made.
fit_result fit(selection const& chosen, sonde::model::latency_form form);

} // namespace tools::model
