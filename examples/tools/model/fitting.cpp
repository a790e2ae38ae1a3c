// SPDX-License-Identifier: BSL-1.0
#include "fitting.hpp"

#include "fit_of.hpp"

#include <algorithm>
#include <stdexcept>

namespace tools::model {

bool fit_result::determined() const {
    return std::all_of(parameters.begin(), parameters.end(),
                       [](auto const& p) { return p.stands == sonde::model::standing::determined; });
}

fit_result fit(selection const& chosen, sonde::model::latency_form form) {
    switch (chosen.model) {
    case kind::hockney:
        return hockney_fit(chosen);
    case kind::multi:
        return multi_fit(chosen, form);
    case kind::max_rate:
        return max_rate_fit(chosen);
    case kind::log_gp:
        return log_gp_fit(chosen);
    }
    throw std::invalid_argument{"no such model"};
}

} // namespace tools::model
