// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "selection.hpp"

#include <sonde/model/fit/result.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace tools::model {

/// A fit of any model, and what it was made of.
struct fit_result {
    kind which;
    sonde::model::fit_result<any_model> fit{};
    std::vector<observation> data{}; // in the order of pairs, then sizes

    /// Residuals are no larger than noise.
    bool describes_data() const { return fit.residual_rms <= sonde::model::acceptable_residual; }
    /// Ranges of sizes with parameters of their own.
    std::size_t segments() const;
    /// The segment of a size, by the breaks between them.
    std::size_t segment_of(double bytes) const;
    bool determined(std::size_t segment) const;
    /// By the model; none where the data do not determine it at this size.
    std::optional<sonde::seconds> time(occasion const& at) const;
};

/// Throws sonde::model::fit_error where no fit can be made.
fit_result fit(selection const& chosen, sonde::model::latency_form form);

} // namespace tools::model
