// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/model/models.hpp"
#include "tools/model/regression/fit_result.hpp"
#include "tools/records/log.hpp"

#include <sonde/clock.hpp>

#include <cstddef>
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

/// Fit of a model of any kind, and its data. Segments are ranges of sizes with parameters of their own.
struct fit_result {
    model_kind kind;
    regression::fit_result<model_variant> fit{};
    std::vector<observation> data{}; // in the order of pairs, then of sizes

    /// True if the residuals are no larger than noise.
    bool describes_data() const { return fit.residual_rms <= regression::acceptable_residual; }
    std::size_t segments() const;
    std::size_t segment_of(double bytes) const;
    /// True if all parameters of the segment are determined.
    bool determined(std::size_t segment) const;
    /// Time by the model; empty if a parameter of the segment is not determined.
    std::optional<sonde::seconds> time(workload const& at) const;
};

/// Throws fit_error if the data permit no fit. `form` is the form of the multi-mode model.
fit_result fit(selection const& data, sonde::model::latency_form form);

/// "determined", "at least this", "at most this", "not determined by these data".
char const* status_text(regression::parameter_status status);

/// Value of a parameter from the command line: "alpha=1us", or of one range of sizes "alpha@2=1us".
struct parameter_setting {
    std::string name;
    std::size_t segment = 0; // counted from 0; ranges are counted from 1 on the command line
    double value = 0;
};

/// Throws std::runtime_error for another syntax, a parameter that the model does not have, a value that is not above
/// zero, a range that the fit does not have, and a missing range if the fit has several.
parameter_setting read_setting(std::string const& text, fit_result const& f);

/// Replace a parameter's estimate by the given value.
void apply(parameter_setting const& setting, fit_result& f);

/// Segment of a size. Throws std::runtime_error if the data do not determine where the next segment begins.
std::size_t determined_segment(fit_result const& f, double bytes);

/// Values of the independent parameters of a segment, by name.
class segment_values {
public:
    segment_values(fit_result const& f, std::size_t segment);

    bool has(std::string const& name) const { return find(name) != nullptr; }
    /// Throws std::runtime_error, with the parameter's name, if it is missing or not determined by the data.
    double operator()(std::string const& name) const;
    /// Smallest size of the fit's data, in bytes.
    double smallest_size() const { return smallest_size_; }

private:
    regression::parameter_estimate const* find(std::string const& name) const;

    std::size_t segment_;
    std::string suffix_; // of names on the command line: "@2" if there are several ranges
    double smallest_size_;
    std::vector<regression::parameter_estimate> const& all_;
};

/// Model of a segment, from its independent parameters. Throws std::runtime_error, with the parameter's name, if one is
/// missing or not determined by the data.
model_variant model_of(fit_result const& f, sonde::model::latency_form form, std::size_t segment);

/// True for parameters of the model, false for those derived from them ("n_half", "k_sat") and for breakpoints.
bool is_independent(model_kind kind, std::string const& name);

} // namespace tools::model
