// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/records/model_points.hpp"

#include <sonde/model.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tools::regression {

// The models and their units, as values.
using sonde::seconds;
using sonde::detail::is_finite;
using sonde::model::bytes;
using sonde::model::hockney;
using sonde::model::latency_form;
using sonde::model::log_gp;
using sonde::model::max_rate;
using sonde::model::multi_ping_pong;
using sonde::model::piecewise_hockney;
using sonde::model::piecewise_log_gp;
using sonde::model::rate;
using sonde::model::unlimited;
using sonde::model::detail::reciprocal_of;

/// Whether the data determine a parameter, only bound it on one side, or do not determine it at all.
enum class parameter_status : unsigned char { determined, lower_bound, upper_bound, undetermined };

/// Estimate of one parameter of a model with its 95 % confidence interval.
struct parameter_estimate {
    std::string name; // symbol of the model's source: "T_l"
    std::string unit; // "s", "B", "B/s", "s/B"; empty for a number
    double value = 0; // the bound, if there is only a bound; meaningless if undetermined
    double low = 0;   // lower end of the interval
    double high = 0;  // `unlimited` for a lower bound, and if undetermined
    parameter_status status = parameter_status::determined; // what the data say about it
    std::size_t segment = 0;                                // size range of a piecewise model, counted from 0
};

/// True if every parameter is determined.
[[nodiscard]] inline bool all_determined(std::vector<parameter_estimate> const& all) {
    return std::all_of(all.begin(), all.end(), [](auto const& p) { return p.status == parameter_status::determined; });
}

/// A model fitted to points, and the quality of the fit.
template <class Model>
struct fit_result {
    Model model{}; // also holds the final values of undetermined parameters: check `parameters` first
    std::vector<parameter_estimate> parameters; // of all segments
    double residual_rms = 0; // root mean square, by degrees of freedom, of the relative residuals model / measured - 1
    bytes from{};            // smallest size
    bytes to{};              // largest size
    std::size_t points = 0;  // number of observations
    double condition_number = 0; // of the Jacobian of relative residuals by logarithms of the parameters; `unlimited`
                                 // if they are dependent
    std::string note{};          // warnings for the reader; empty for none

    /// True if every parameter is determined.
    bool determined() const { return all_determined(parameters); }
    /// Throws std::out_of_range if there is no parameter of this name in the segment.
    parameter_estimate const& operator()(std::string_view name, std::size_t segment = 0) const {
        for (auto const& p : parameters)
            if (p.name == name && p.segment == segment) return p;
        throw std::out_of_range{"tools::regression::fit_result: no parameter " + std::string{name}};
    }
};

/// Largest residual rms that is considered noise. If the rms is larger, the model does not describe the data, however
/// narrow the confidence intervals are.
inline constexpr double acceptable_residual = 0.15;

inline void set_undetermined(parameter_estimate& p) {
    p.status = parameter_status::undetermined;
    p.low = 0;
    p.high = unlimited;
    if (!is_finite(p.value)) p.value = 0;
}

inline std::string text_of(bytes size) { return sonde::detail::text_of(size.count()) + " B"; }

/// In microseconds, with four significant digits and no exponent.
inline std::string text_of(seconds t) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.4g", 1e6 * t.count());
    return sonde::detail::text_of(std::strtod(digits, nullptr)) + " us";
}

inline std::string count_text(std::size_t n, char const* noun) {
    return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

inline void append_note(std::string& note, std::string const& more) {
    if (!more.empty()) note += (note.empty() ? "" : "; ") + more;
}

/// "2 outliers left out: A, B" with text(point) for the first four; empty if there are none.
template <class Points, class Text>
std::string outlier_note(Points const& outliers, Text text) {
    constexpr std::size_t listed = 4;
    if (outliers.empty()) return "";
    auto note = count_text(outliers.size(), "outlier") + " left out: ";
    for (std::size_t i = 0; i != std::min(listed, outliers.size()); ++i)
        note.append(i == 0 ? "" : ", ").append(text(outliers[i]));
    return outliers.size() > listed ? note + ", .." : note;
}

/// Throws fit_error, with the values, unless the size is finite and not negative, the time is finite and positive, and
/// the count of pairs or messages is finite and at least 1.
inline void validate_point(std::string_view model, bytes size, seconds time, std::string_view count_name = {},
                           double count = 1) {
    auto const finite = is_finite(size.count()) && is_finite(count) && is_finite(time.count());
    if (finite && size.count() >= 0 && count >= 1 && time.count() > 0) return;
    auto text = std::string{model} + ": invalid point: " + text_of(size) + ", ";
    if (!count_name.empty()) text.append(sonde::detail::text_of(count)).append(" ").append(count_name).append(", ");
    throw fit_error{text + sonde::detail::text_of(time.count()) + " s"};
}

/// Sorts points by size, keeping the order of equal sizes, and returns the number of distinct sizes.
template <class Point>
std::size_t sort_by_size(std::vector<Point>& points) {
    std::stable_sort(points.begin(), points.end(), [](auto const& a, auto const& b) { return a.size < b.size; });
    std::size_t sizes = points.empty() ? 0 : 1;
    for (std::size_t i = 1; i < points.size(); ++i) sizes += points[i - 1].size < points[i].size ? 1 : 0;
    return sizes;
}

/// Sum of the squares of residual(point).
template <class Points, class Residual>
double sum_of_squares(Points const& points, Residual residual) {
    double sum = 0;
    for (auto const& p : points) sum += std::pow(residual(p), 2);
    return sum;
}

/// Last step of every fit. It sets the number of points and their sizes, and makes parameters that are not numbers
/// undetermined. If the model does not describe the data, all parameters become undetermined, and the note begins with
/// this finding.
template <class Model, class Point>
[[nodiscard]] fit_result<Model> finish(fit_result<Model> f, std::vector<Point> const& points) {
    auto const [smallest, largest] =
        std::minmax_element(points.begin(), points.end(), [](auto const& a, auto const& b) { return a.size < b.size; });
    f.from = smallest->size;
    f.to = largest->size;
    f.points = points.size();
    if (!is_finite(f.residual_rms)) f.residual_rms = unlimited;
    if (!is_finite(f.condition_number)) f.condition_number = unlimited;
    bool const describes = f.residual_rms <= acceptable_residual;
    for (auto& p : f.parameters)
        if (!describes || !is_finite(p.value) || !is_finite(p.low) || !is_finite(p.high)) set_undetermined(p);
    if (!describes) f.note = "the model does not describe these data" + (f.note.empty() ? "" : "; " + f.note);
    return f;
}

} // namespace tools::regression
