// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/model/fit/fit.hpp"
#include "tools/records/log.hpp"

#include <optional>

namespace tools::model {

/// Select the measurements of a series for the requested model. By default they determine the model: max-rate for
/// different numbers of pairs, the multi-mode model for two pairs, Hockney's for one, LogGP for round trips. Throws
/// std::runtime_error, with the series' name, if no measurement suits the model, or no size is in the range.
selection select(series const& of, std::optional<model_kind> requested, size_range const& range);

/// True if tables of the series can be fitted by the model, or by any model.
bool has_model(series const& of, std::optional<model_kind> requested);

} // namespace tools::model
