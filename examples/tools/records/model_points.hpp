// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/record.hpp>
#include <sonde/model.hpp>

#include <stdexcept>
#include <vector>

namespace tools {

/// Thrown for data that a model cannot be fitted to: too few points or sizes, or invalid sizes or times.
struct fit_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Points for a fit from records: `points_of<sonde::model::hockney>(records)`. The time is the median over samples of
/// the slowest rank's times.
///
///     hockney            ping-pongs of one pair: half a round trip
///     multi_ping_pong    ping-pongs of two concurrent pairs: a sample of `batch` repetitions
///     max_rate           any number of concurrent pairs, records of all numbers together: half a round trip, or a
///                        window of messages with its acknowledgement
///     piecewise_log_gp   records of `log_gp_measurement`: the five records of a size make one point; if a size was
///                        measured again, its next five records make another
///
/// Throws fit_error, with the name of the record's point, for a record of another measurement or without a positive
/// time, and for a size of LogGP that lacks one of the five records.
template <class Model>
[[nodiscard]] std::vector<typename Model::point> points_of(std::vector<sonde::record> const& records);
template <>
std::vector<sonde::model::hockney::point> points_of<sonde::model::hockney>(std::vector<sonde::record> const& records);
template <>
std::vector<sonde::model::multi_ping_pong::point>
points_of<sonde::model::multi_ping_pong>(std::vector<sonde::record> const& records);
template <>
std::vector<sonde::model::max_rate::point> points_of<sonde::model::max_rate>(std::vector<sonde::record> const& records);
template <>
std::vector<sonde::model::piecewise_log_gp::point>
points_of<sonde::model::piecewise_log_gp>(std::vector<sonde::record> const& records);

} // namespace tools
