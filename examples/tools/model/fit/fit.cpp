// SPDX-License-Identifier: BSL-1.0
#include "tools/model/fit/fit.hpp"

#include <sonde/model/fit/hockney.hpp>
#include <sonde/model/fit/log_gp.hpp>
#include <sonde/model/fit/max_rate.hpp>
#include <sonde/model/points.hpp>

#include <algorithm>
#include <stdexcept>

namespace tools::model {

std::size_t fit_result::segments() const {
    std::size_t count = 1;
    for (auto const& p : fit.parameters) count = std::max(count, p.segment + 1);
    return count;
}

std::size_t fit_result::segment_of(double bytes) const {
    std::size_t segment = 0;
    for (auto const& p : fit.parameters)
        if (p.name == "breakpoint" && bytes >= p.value) segment = std::max(segment, p.segment);
    return segment;
}

bool fit_result::determined(std::size_t segment) const {
    return std::all_of(fit.parameters.begin(), fit.parameters.end(), [&](auto const& p) {
        return p.segment != segment || p.status == sonde::model::parameter_status::determined;
    });
}

std::optional<sonde::seconds> fit_result::time(workload const& at) const {
    return determined(segment_of(at.bytes)) ? std::optional{time_of(fit.model, at)} : std::nullopt;
}

namespace {

using sonde::model::bytes;
using sonde::model::hockney;
using sonde::model::max_rate;
using sonde::model::multi_ping_pong;
using sonde::model::piecewise_log_gp;

template <class Model>
fit_result result_of(selection const& data, sonde::model::fit_result<Model> const& f) {
    return {data.kind,
            {f.model, f.parameters, f.residual_rms, f.from, f.to, f.points, f.condition_number, f.note},
            data.points};
}

template <class Point>
std::vector<Point> points_of(selection const& data, Point (*point_of)(observation const&)) {
    std::vector<Point> points;
    for (auto const& o : data.points) points.push_back(point_of(o));
    return points;
}

hockney::point hockney_point(observation const& o) { return {bytes{o.at.bytes}, o.measured, o.resolution}; }
multi_ping_pong::point multi_point(observation const& o) { return {bytes{o.at.bytes}, o.at.repetitions, o.measured}; }
max_rate::point max_rate_point(observation const& o) { return {bytes{o.at.bytes}, o.at.pairs, o.measured}; }

/// Adds the time of one message, and of many without the way back, which takes as long as one message.
void add_log_gp_times(piecewise_log_gp::point const& p, std::vector<observation>& to) {
    auto const one = p.prtt_1 / 2;
    to.push_back({{.bytes = p.size.count()}, one});
    to.push_back({{.bytes = p.size.count(), .messages = p.messages}, p.prtt_n - one});
}

fit_result log_gp_fit(selection const& data) {
    auto const points = sonde::model::points_of<piecewise_log_gp>(data.round_trips);
    auto result = result_of(data, sonde::model::fit(points));
    for (auto const& p : points) add_log_gp_times(p, result.data);
    return result;
}

} // namespace

fit_result fit(selection const& data, sonde::model::latency_form form) {
    switch (data.kind) {
    case model_kind::hockney:
        return result_of(data, sonde::model::fit(points_of(data, hockney_point)));
    case model_kind::multi:
        return result_of(data, sonde::model::fit(points_of(data, multi_point), form));
    case model_kind::max_rate:
        return result_of(data, sonde::model::fit(points_of(data, max_rate_point)));
    case model_kind::log_gp:
        return log_gp_fit(data);
    }
    throw std::invalid_argument{"no such model"};
}

} // namespace tools::model
