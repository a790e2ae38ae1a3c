// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "fitting.hpp"

#include <cstddef>
#include <string>

namespace tools::model {

/// A value that the user gives: "alpha=1us", of a range of sizes "alpha@2=1us".
struct setting {
    std::string name;
    std::size_t segment = 0; // counted from 0, unlike the range of the text
    double value = 0;

    /// Throws std::runtime_error for a text that is none, a parameter that the model does not have, a value that is not
    /// above zero, a range that the fit does not have, and where it has several and the text names none.
    static setting of(std::string const& text, fit_result const& f);
};

/// Puts it in place of what the data said.
void set(setting const& what, fit_result& in);

/// The segment that a size is in. Throws std::runtime_error where the data do not determine where one begins.
std::size_t known_segment(fit_result const& f, double bytes);

/// The model of a segment, of which what follows from others ("n_half", "k_sat") is not needed. Throws
/// std::runtime_error, with names, where a parameter is missing or the data did not determine it.
any_model model_of(fit_result const& f, sonde::model::latency_form form, std::size_t segment);

/// One that others follow from, and no break.
bool is_own(kind k, std::string const& name);

} // namespace tools::model
