// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/kinked_parameter.hpp>
#include <sonde/model/fit/result.hpp>

namespace sonde::model::detail {

/// What is worth saying of each parameter of a max-rate model: of (u, v, w) = (1 / R_N, 1 / R_C, alpha).
class max_rate_findings {
public:
    explicit max_rate_findings(kinked_fit const& fit) : fit_{fit} {}

    parameter alpha() const { return ranged({"alpha", "s"}, fit_, 2); }
    /// If one process, or as few as there are, may saturate the node, one alone could be faster.
    parameter process() const { return ranged_rate({"R_C", "B/s"}, fit_, 1, fit_.all_above()); }
    /// If as many processes as there are may not saturate it, the node could be faster.
    parameter node() const { return ranged_rate({"R_N", "B/s"}, fit_, 0, fit_.all_below()); }
    parameter saturation() const {
        label const as{"k_sat", ""};
        if (fit_.all_above() && fit_.all_below()) return unknown(as, fit_.best().kink());
        if (fit_.all_above()) return at_most(as, fit_.ranges().kink().high);
        if (fit_.all_below()) return at_least(as, fit_.ranges().kink().low);
        return ranged_kink(as, fit_);
    }
    char const* note() const {
        if (fit_.rms() > acceptable_residual) return ""; // then nothing of it is so
        if (fit_.all_above() && fit_.all_below())
            return "R_C and R_N: the numbers of pairs do not tell which is the limit";
        if (fit_.all_above()) return "R_C: every number of pairs may saturate the node";
        return fit_.all_below() ? "R_N: no number of pairs clearly saturates the node" : "";
    }

private:
    kinked_fit const& fit_;
};

} // namespace sonde::model::detail
