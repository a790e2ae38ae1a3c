// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "fitting.hpp"

#include <sonde/json/json_lines.hpp>

#include <string>
#include <vector>

namespace tools::model {

/// All of a fit, one object; what is no number, and the value of a parameter that is not determined, is null:
///
///     {"type": "fit", "sonde_version", "model": "hockney" | "multi" | "max-rate" | "loggp", "formula", "files": [..],
///     "determined", "parameters": [{"name", "unit", "segment", "value", "low",
///      "high", "status": "determined" | "at least" | "at most" | "not determined"}], "residual_rms", "from_bytes",
///      "to_bytes", "points", "condition_number", "note", "table": [{"bytes", "pairs", "repetitions", "messages",
///      "measured_seconds", "model_seconds"}]}
///
/// and "form": "time-line" | "published" of the model multi. A time by the model that is not determined is null.
/// Units are "s", "B", "B/s", "s/B" and "", residuals relative; segments are counted from 0.
std::string fit_json(fit_result const& f, sonde::model::latency_form form, std::vector<std::string> const& files);

/// Null where it is not finite: JSON has no such numbers.
sonde::json number(double x);

/// What was written so. Throws std::runtime_error, with the path, for what is no fit.
struct stored_fit {
    fit_result fit;
    sonde::model::latency_form form;
};
stored_fit read_fit(std::string const& path);

} // namespace tools::model
