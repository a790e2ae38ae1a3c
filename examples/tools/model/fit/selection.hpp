// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/model/models.hpp"
#include "tools/records/series.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tools::model {

struct observation {
    workload at;
    sonde::seconds measured;
    sonde::seconds resolution{};
    std::optional<sonde::confidence_interval> interval{}; // 95 %, of the measured time
};

/// Data that a model is fitted to, selected from files.
struct selection {
    model_kind kind;
    std::vector<observation> points{};        // in the order of pairs, then of sizes; empty for LogGP
    std::vector<sonde::record> round_trips{}; // for LogGP
    std::vector<std::string> read_from{};     // a line for each table
    std::vector<std::string> remarks{};
};

/// Sizes to fit, in bytes.
struct size_range {
    double from = 0;
    std::optional<double> to{};
    bool holds(double size) const { return size >= from && (!to || size <= *to); }
};

/// Select the measurements of a series for the requested model. By default they determine the model: max-rate for
/// different numbers of pairs, the multi-mode model for two pairs, Hockney's for one, LogGP for round trips. Throws
/// std::runtime_error, with the series' name, if no measurement suits the model, or no size is in the range.
selection select(series const& of, std::optional<model_kind> requested, size_range const& range);

/// True if tables of the series can be fitted by the model, or by any model.
bool has_model(series const& of, std::optional<model_kind> requested);

/// "ping-pongs of one pair"
char const* needed_by(model_kind k);

} // namespace tools::model
