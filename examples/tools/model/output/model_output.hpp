// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/model/fit/fit.hpp"

#include <sonde/drawing/figure.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace boost::program_options {
class options_description;
}

namespace tools::model {

/// Text of a fit: parameters with intervals and status, quality of the fit, and a table of all measured sizes with the
/// model's times.
std::vector<std::string> fit_text(fit_result const& f, sonde::model::latency_form form);

/// Warnings about a fit, one line each: the model does not describe the data, or otherwise each parameter that is not
/// determined.
std::vector<std::string> fit_warnings(fit_result const& f);

/// Text of a prediction: the model, and a table of times and bandwidths.
std::vector<std::string> prediction_text(prediction const& p);

/// Warnings about predictions outside of the measured range, one line each: other sizes, more pairs, sizes between the
/// last of one protocol and the first of the next.
std::vector<std::string> extrapolation_warnings(fit_result const& f, std::vector<workload> const& at);

/// Files and tables to which a model is fitted.
struct fit_source {
    std::vector<std::string> files;
    std::size_t table = 1; // number of the series
    std::string name{};
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

struct stored_fit {
    fit_result fit;
    sonde::model::latency_form form;
};

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

/// Figure of a fit: measured points with intervals, and for each number of pairs and each determined segment a curve of
/// the model, with its parameters in the legend. The y axis is the time, or the bandwidth for models of bandwidth.
sonde::figure figure_of(fit_result const& f);
sonde::figure figure_of(prediction const& p);

/// Options --plot and --terminal.
struct plot_options {
    std::optional<std::string> file;
    bool terminal = false;

    void add_to(boost::program_options::options_description& options);
    /// Targets for `draw`. Throws std::runtime_error for a file of an unknown format.
    std::vector<std::string> targets() const;
};

/// Draw a figure to a file .svg, .png or .pdf, or on the terminal for "-". Throws std::runtime_error if no point can be
/// drawn on the figure's axes, std::system_error if the file cannot be written or gnuplot cannot be started.
void draw(sonde::figure const& figure, std::string const& target);

/// File for the picture of one of several fits: "a-2.svg" for "a.svg".
std::string numbered(std::string const& target, std::size_t number);

/// Throws std::runtime_error if one of the output files is an input file.
void refuse_overwriting(std::vector<std::string> const& inputs, std::vector<std::string> const& outputs);

} // namespace tools::model
