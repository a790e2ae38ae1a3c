// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/kinked_parameter.hpp>
#include <sonde/model/fit/result.hpp>
#include <sonde/model/multi_ping_pong.hpp>

#include <Eigen/Dense>

#include <cmath>
#include <limits>
#include <string>

namespace sonde::model::detail {

/// Residuals of points in this order go up and down together: neighbours are more alike than in one of 1,000 series
/// of chance (von Neumann's ratio).
inline bool follow(Eigen::VectorXd const& residuals) {
    auto const n = residuals.size();
    auto const ratio = (residuals.tail(n - 1) - residuals.head(n - 1)).squaredNorm() / residuals.squaredNorm();
    return std::sqrt(static_cast<double>(n)) * (1 - ratio / 2) > 3.09;
}

/// What is worth saying of each parameter of a multi-mode ping-pong: of (u, v, w) = (1 / B_r, C / B_r, T_l).
class multi_findings {
public:
    explicit multi_findings(kinked_fit const& fit) : fit_{fit} {}

    parameter chunk() const {
        label const as{"C", "B"};
        if (fit_.all_above()) return unknown(as, fit_.best().kink());
        if (fit_.all_below()) return at_least(as, fit_.ranges().kink().low);
        return ranged_kink(as, fit_);
    }
    /// If all sizes may as well be below C as above it, it is known but for a factor of two.
    parameter link() const { return ranged_rate({"B_r", "B/s"}, fit_, 0, fit_.all_above() && fit_.all_below()); }
    /// Of one size below C it is determined only where noise makes it look large, so two must be.
    parameter latency() const {
        label const as{"T_l", "s"};
        if (fit_.all_above()) return unknown(as, fit_.best().values(2));
        auto const p = ranged(as, fit_, 2);
        bool const seen = fit_.data().places_before(fit_.ranges().kink().low) >= 2;
        return seen || p.stands != standing::determined ? p : at_most(as, p.high);
    }
    double condition() const {
        auto const u = fit_.best().values(0);
        auto const kink = fit_.best().kink();
        if (!(u > 0)) return std::numeric_limits<double>::infinity();
        Eigen::Matrix3d derivative; // of (C, B_r, T_l)
        derivative << -kink / u, 1 / u, 0, -1 / (u * u), 0, 0, 0, 0, 1;
        auto const latency = fit_.best().values(2);
        return fit_.whole().in_terms_of(Eigen::Vector3d{kink, 1 / u, latency}, derivative).condition();
    }
    std::string note(latency_form form) const {
        std::string text;
        if (fit_.rms() > acceptable_residual) return text; // then nothing of it is so
        auto add = [&](std::string const& more) { text += (text.empty() ? "" : "; ") + more; };
        if (form == latency_form::published)
            add("T_l of the published form is an effective parameter, not to be compared with a ping-pong's latency");
        if (auto const side = one_side(form); !side.empty()) add(side);
        if (fit_.rms() > rounding_residual && follow(fit_.residuals()))
            add("residuals follow the size: sizes of another protocol, or a link that is not shared in chunks?");
        return text;
    }

private:
    std::string one_side(latency_form form) const {
        if (!(fit_.ranges().of(0).low > 0)) return "times hardly grow with the size: no more than a bound of B_r";
        if (fit_.all_above() && fit_.all_below())
            return "all sizes may be below C, or all above it and B_r twice as large";
        if (fit_.all_above())
            return std::string{"no size is clearly below C: besides B_r only C / (2 B_r) - T_l"} +
                   (form == latency_form::published ? "" : " / 2") + " is determined";
        return fit_.all_below() ? "no size is clearly above C" : "";
    }

    kinked_fit const& fit_;
};

} // namespace sonde::model::detail
