// SPDX-License-Identifier: BSL-1.0
#include "fitting.hpp"

#include "fit_of.hpp"

#include <algorithm>
#include <stdexcept>

namespace tools::model {

std::size_t fit_result::segments() const {
    std::size_t count = 1;
    for (auto const& p : fit.parameters) count = std::max(count, p.segment + 1);
    return count;
}

std::size_t fit_result::segment_of(double bytes) const {
    std::size_t segment = 0;
    for (auto const& p : fit.parameters)
        if (p.name == "breakpoint" && bytes >= p.value) segment = std::max(segment, p.segment);
    return segment;
}

bool fit_result::determined(std::size_t segment) const {
    return std::all_of(fit.parameters.begin(), fit.parameters.end(), [&](auto const& p) {
        return p.segment != segment || p.status == sonde::model::parameter_status::determined;
    });
}

std::optional<sonde::seconds> fit_result::time(occasion const& at) const {
    return determined(segment_of(at.bytes)) ? std::optional{time_of(fit.model, at)} : std::nullopt;
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
