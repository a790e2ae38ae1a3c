// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/bound.hpp>
#include <sonde/model/fit/kinked_fit.hpp>
#include <sonde/model/fit/result.hpp>
#include <sonde/model/max_rate.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

namespace sonde::model {

namespace detail {

inline void check(max_rate::point const& p) {
    if (!(p.size >= bytes{0}) || !std::isfinite(p.size.count())) throw cannot_fit{"max-rate: a size that is none"};
    if (!(p.pairs >= 1) || !std::isfinite(p.pairs)) throw cannot_fit{"max-rate: a point of fewer than one pair"};
    if (!(p.time.count() > 0) || !std::isfinite(p.time.count()))
        throw cannot_fit{"max-rate: a time that is not positive"};
}

/// (u, v, w) is (1 / R_N, 1 / R_C, alpha), in which the model is linear, and the kink is at k = k_sat.
inline kinked_data kinked_data_of(std::vector<max_rate::point> points) {
    std::stable_sort(points.begin(), points.end(), [](auto const& a, auto const& b) { return a.pairs < b.pairs; });
    kinked_data data{static_cast<Eigen::Index>(points.size())};
    Eigen::Index i = 0;
    for (auto const& p : points) {
        data.at(i) = p.pairs;
        data.below.row(i) << 0, p.size.count(), 1;
        data.above.row(i) << p.pairs * p.size.count(), 0, 1;
        data.measured(i++) = p.time.count();
    }
    return data;
}

/// The smallest and the largest size.
inline std::pair<bytes, bytes> sizes_of(std::vector<max_rate::point> const& points) {
    auto const [first, last] = std::minmax_element(points.begin(), points.end(),
                                                   [](auto const& a, auto const& b) { return a.size < b.size; });
    return {first->size, last->size};
}

inline kinked_data checked_data(std::vector<max_rate::point> const& points) {
    for (auto const& p : points) check(p);
    if (points.size() < 4) throw cannot_fit{"max-rate: three parameters need four points at least"};
    auto const [from, to] = sizes_of(points);
    if (from == to) throw cannot_fit{"max-rate: latency and rates need two sizes at least"};
    return kinked_data_of(points);
}

/// What is worth saying of each parameter of a max-rate model.
class max_rate_findings {
public:
    explicit max_rate_findings(kinked_fit const& fit) : fit_{fit}, worth_{fit.worth(fit.best())} {}

    estimate const& worth() const { return worth_; }
    parameter alpha() const {
        return linear_parameter({"alpha", "s"}, worth_.values(2), worth_.deviation(2), worth_.freedom);
    }
    /// If one process, or as few as there are, may saturate the node, one alone could be faster.
    parameter process() const {
        if (fit_.all_above()) return at_least({"R_C", "B/s"}, 1 / fit_.largest_kink().values(1));
        return reciprocal_parameter({"R_C", "B/s"}, worth_.values(1), worth_.deviation(1), worth_.freedom);
    }
    /// If as many processes as there are may not saturate it, the node could be faster.
    parameter node() const {
        if (fit_.all_below()) return at_least({"R_N", "B/s"}, 1 / fit_.smallest_kink().values(0));
        return reciprocal_parameter({"R_N", "B/s"}, worth_.values(0), worth_.deviation(0), worth_.freedom);
    }
    parameter saturation() const {
        label const as{"k_sat", ""};
        auto const kink = fit_.best().kink();
        if (fit_.all_above() && fit_.all_below()) return unknown(as, kink);
        if (fit_.all_above()) return at_most(as, fit_.largest_kink().kink());
        if (fit_.all_below()) return at_least(as, fit_.smallest_kink().kink());
        return between(as, fit_);
    }
    char const* note() const {
        if (fit_.all_above() && fit_.all_below())
            return "R_C and R_N: the numbers of pairs do not tell which is the limit";
        if (fit_.all_above()) return "R_C: every number of pairs may saturate the node";
        if (fit_.all_below()) return "R_N: no number of pairs clearly saturates the node";
        return "";
    }

private:
    kinked_fit const& fit_;
    estimate worth_;
};

} // namespace detail

/// The max-rate model that fits points of all sizes and numbers of pairs together best, of all saturation points:
/// alpha [s], R_C, R_N [B/s], k_sat.
///
/// R_N is a lower bound where no number of pairs saturates the node, R_C where every one does. Throws cannot_fit where
/// there are fewer than four points or two sizes, or where a point is none.
inline fitted<max_rate> fit(std::vector<max_rate::point> const& points) {
    auto const data = detail::checked_data(points);
    kinked_fit const found{data};
    detail::max_rate_findings const say{found};
    auto const& best = found.best();
    fitted<max_rate> result;
    auto const per_byte = std::max(best.values(1), data.at(0) * best.values(0)); // R_C where all are saturated: no more
    result.model = {seconds{best.values(2)}, rate{1 / per_byte}, rate{1 / best.values(0)}};
    result.parameters = {say.alpha(), say.process(), say.node(), say.saturation()};
    result.residual_rms = say.worth().rms;
    std::tie(result.from, result.to) = detail::sizes_of(points);
    result.points = points.size();
    result.condition = say.worth().condition();
    result.note = say.note();
    return result;
}

} // namespace sonde::model
