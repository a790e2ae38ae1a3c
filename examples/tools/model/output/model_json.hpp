// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/model/fit/fit.hpp"
#include "tools/model/fit/prediction.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tools::model {

/// Files and tables to which a model is fitted.
struct fit_source {
    std::vector<std::string> files;
    std::size_t table = 1; // number of the series
    std::string name{};
};

struct stored_fit {
    fit_result fit;
    sonde::model::latency_form form;
};

/// A fit as one JSON object. Numbers that are not finite, the value of an undetermined parameter and times by an
/// undetermined model are null:
///
///     {"type": "fit", "sonde_version", "model": "hockney" | "multi" | "max-rate" | "loggp", "formula", "files": [..],
///      "determined", "parameters": [{"name", "unit", "segment", "value", "low", "high",
///      "status": "determined" | "at least" | "at most" | "not determined"}], "residual_rms", "from_bytes",
///      "to_bytes", "points", "condition_number", "note", "table": [{"bytes", "pairs", "repetitions", "messages",
///      "measured_seconds", "model_seconds"}]}
///
/// and "series": {"table", "name"}, the number and the name of the tables in the files, and "form": "time-line" |
/// "published" for the multi-mode model. Units are "s", "B", "B/s", "s/B" and ""; residuals are relative; segments are
/// counted from 0.
std::string fit_json(fit_result const& f, sonde::model::latency_form form, fit_source const& from);

/// Read a file of lines written by `fit_json`: the only one, or that of the table with this number. Throws
/// std::runtime_error, with the path, for any other file, and if there are several lines and no number.
stored_fit read_fit(std::string const& path, std::optional<std::size_t> table = {});

/// A prediction as one JSON object:
///
///     {"type": "prediction", "model", "formula", "warnings": [..], "table": [{"bytes", "pairs", "repetitions",
///      "messages", "seconds", "bytes_per_second"}]}
///
/// and "form" for the multi-mode model, "collective" and "processes" for a collective.
std::string prediction_json(prediction const& p);

} // namespace tools::model
