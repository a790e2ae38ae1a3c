// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "any_model.hpp"

#include <sonde/model/fit/result.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tools::model {

using parameters = std::vector<sonde::model::parameter>;

/// The unit of a model's own parameter. Throws std::runtime_error where it has none of that name.
std::string unit_of(kind k, std::string_view name);

/// The model of these, of which what follows from others ("n_half", "k_sat") is not needed; sizes of the first segment
/// go `from` there. Throws std::runtime_error, with names, where one is missing or the data did not determine it.
any_model model_of(kind k, sonde::model::latency_form form, parameters const& all, double from);

} // namespace tools::model
