// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "any_model.hpp"
#include "tables.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tools::model {

struct observation {
    occasion at;
    sonde::seconds measured;
    sonde::seconds resolution{};                         // how exactly it is known
    std::optional<sonde::confidence_interval> between{}; // of the measured, with 95 %
};

/// What a model is to be fitted to.
struct selection {
    kind model;
    std::vector<observation> points{};        // in the order of pairs, then of sizes
    std::vector<sonde::record> round_trips{}; // of LogGP, instead
    std::vector<std::string> read_from{};     // a line for each table
    std::vector<std::string> remarks{};
};

/// The range of sizes that is asked for.
struct size_range {
    double from = 0;
    std::optional<double> to{};
    bool holds(double size) const { return size >= from && (!to || size <= *to); }
};

/// Finds the model that tables fit, or takes the one asked for, and the points of it: pairs that vary are for max-rate,
/// two pairs for the multi-mode model, one for Hockney's, round trips for LogGP. Throws std::runtime_error where they
/// fit none, or not the one asked for, where no size is in range, and where times of as many pairs are in
/// different units by all appearances.
selection select(std::vector<tables_read> const& files, std::optional<kind> asked, size_range const& range);

} // namespace tools::model
