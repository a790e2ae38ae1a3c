// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/units.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sonde::model {

/// Data that no fit can be made of: too few points, sizes that say nothing of a parameter at all, times that are none.
struct cannot_fit : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// What the data say of a parameter: its value; that it is at least, or at most, so large; nothing.
enum class standing : unsigned char { determined, lower_bound, upper_bound, undetermined };

/// A parameter that was fitted, with the interval that holds it with a probability of 95 %.
struct parameter {
    std::string name; // as in the model's source: "T_l"
    std::string unit; // "s", "B", "B/s", "s/B"; empty: a number
    double value = 0; // of no meaning where undetermined
    double low = 0;
    double high = 0;
    standing stands = standing::determined;
    std::size_t segment = 0; // of sizes, counted from 0, where a model has several
};

[[nodiscard]] inline bool all_determined(std::vector<parameter> const& all) {
    return std::all_of(all.begin(), all.end(), [](parameter const& p) { return p.stands == standing::determined; });
}

/// A model fitted to points, and how far it may be believed.
template <class Model>
struct fitted {
    Model model{}; // of an undetermined parameter it holds what the fit ended with: look at `parameters` first
    std::vector<parameter> parameters;
    double residual_rms = 0; // of the relative residuals, model / measured - 1, by degrees of freedom
    bytes from{};            // the smallest size
    bytes to{};              // the largest
    std::size_t points = 0;
    double condition = 0; // of the Jacobian of relative residuals by logarithms of parameters
    std::string note{};   // what a reader must know before using it; empty: nothing

    bool determined() const { return all_determined(parameters); }
    /// Throws std::out_of_range where there is none of that name.
    parameter const& operator()(std::string_view name, std::size_t segment = 0) const {
        for (auto const& p : parameters)
            if (p.name == name && p.segment == segment) return p;
        throw std::out_of_range{"sonde::model::fitted: no parameter " + std::string{name}};
    }
};

/// Above this, relative residuals are no noise: the model does not describe the data, whatever intervals they leave.
inline constexpr double acceptable_residual = 0.15;

/// Let a parameter be one that the data say nothing of.
inline void forget(parameter& p) {
    p.stands = standing::undetermined;
    p.low = 0;
    p.high = std::numeric_limits<double>::infinity();
}

/// What every fit ends with: a parameter that is no number is undetermined, and so are all where the model does not
/// describe the data, which the note then begins with.
template <class Model>
[[nodiscard]] fitted<Model> settled(fitted<Model> f) {
    bool const describes = f.residual_rms <= acceptable_residual;
    for (auto& p : f.parameters)
        if (!describes || !std::isfinite(p.value) || std::isnan(p.low) || std::isnan(p.high)) forget(p);
    if (!describes) f.note = "the model does not describe these data" + (f.note.empty() ? "" : "; " + f.note);
    return f;
}

} // namespace sonde::model
