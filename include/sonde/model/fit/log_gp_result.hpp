// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/log_gp_limits.hpp>
#include <sonde/model/fit/log_gp_notes.hpp>
#include <sonde/model/fit/log_gp_parameters.hpp>
#include <sonde/model/fit/result.hpp>
#include <sonde/model/log_gp.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace sonde::model::detail {

/// Nothing takes less than no time, whatever lines say.
inline log_gp model_of(segment_fit const& fit) {
    auto const at = fit.smallest().size;
    auto const possible = [](double t) { return seconds{std::max(0.0, t)}; };
    log_gp model;
    model.latency = possible(latency_at_smallest(fit).value);
    model.send_overhead = possible(fit.send.at(at).value);
    model.receive_overhead = possible(fit.receive.at(at).value);
    model.gap = possible(fit.interval.possible(0));
    model.gap_per_byte = possible(fit.interval.possible(1));
    model.send_overhead_per_byte = possible(fit.send.per_byte().value);
    model.receive_overhead_per_byte = possible(fit.receive.per_byte().value);
    model.overheads_from = at;
    return model;
}

inline double squares_of_one(log_gp const& model, round_trip_points const& points) {
    double sum = 0;
    for (auto const& p : points) sum += std::pow(2 * model.time(p.size) / p.one - 1, 2);
    return sum;
}

/// Of n messages, without the way back.
inline double squares_of_many(log_gp const& model, round_trip_points const& points) {
    double sum = 0;
    for (auto const& p : points) sum += std::pow(model.time(p.size, p.messages) / (p.many - p.one / 2) - 1, 2);
    return sum;
}

/// What is told of a segment.
struct segment_result {
    log_gp model;
    std::vector<parameter> parameters{};
    double squares = 0; // of the residuals that follow
    double freedom = 0;
    std::string note{};
};

/// Does a message take as long as its parts at all sizes, not only at the smallest, of which L is?
inline bool adds_up(segment_fit const& fit, log_gp const& model) {
    auto const n = static_cast<double>(fit.points.size());
    return std::sqrt(squares_of_one(model, fit.points) / n) <= acceptable_residual;
}

/// L, and why it is not determined, where it is not.
inline parameter tell_latency(segment_fit const& fit, std::size_t segment, bool overheads_known, segment_result& to) {
    auto l = latency_of(fit, segment, overheads_known);
    if (!overheads_known) note_latency(fit, "L is not known without o_s and o_r", to.note);
    else if (l.stands == standing::undetermined || l.low <= 0)
        note_latency(fit, "L is not above 0 for certain: overheads may overlap with the network", to.note);
    else if (fit.network_limits && !adds_up(fit, to.model)) {
        l = latency_of(fit, segment, false);
        note_latency(fit, "PRTT(1, 0, s) does not grow as o_s + (s - 1) G + o_r: overheads overlap with the network",
                     to.note);
    }
    return l;
}

/// Residuals of one message and of many where all is determined; else of the line of intervals alone.
inline void add_residuals(segment_fit const& fit, segment_result& to) {
    auto const& line = fit.interval.line;
    if (!all_determined(to.parameters)) {
        to.squares = line.rms * line.rms * line.freedom;
        to.freedom = line.freedom;
        return;
    }
    to.squares = squares_of_one(to.model, fit.points) + squares_of_many(to.model, fit.points);
    to.freedom = 2 * static_cast<double>(fit.points.size()) - 3; // L, g, G
}

inline segment_result result_of(segment_fit const& fit, std::size_t segment) {
    segment_result result{model_of(fit)};
    note_limits(fit, result.note);
    note_waits(fit, result.note);
    auto all = overhead_of(fit, "o_s", fit.send, segment);
    for (auto const& p : overhead_of(fit, "o_r", fit.receive, segment)) all.push_back(p);
    auto const l = tell_latency(fit, segment, all_determined(all), result);
    all.insert(all.begin(), l);
    all.push_back(gap_of(fit, segment));
    all.push_back(gap_per_byte_of(fit, segment));
    result.parameters = std::move(all);
    add_residuals(fit, result);
    return result;
}

} // namespace sonde::model::detail
