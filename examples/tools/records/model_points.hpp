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

/// Observation to which a model is fitted.
template <class Model>
struct model_point;

/// Half a round trip of a message.
template <>
struct model_point<sonde::model::hockney> {
    sonde::model::bytes size;    // of the message
    sonde::seconds time;         // half a round trip
    sonde::seconds resolution{}; // largest rounding error of `time`: half a unit of the last digit, or the tick of the
                                 // clock over the number of messages; 0: full precision
};

/// The five times of one message size (Hoefler, Lichei, Rehm, IPDPS 2007).
template <>
struct model_point<sonde::model::log_gp> {
    sonde::model::bytes size; // s
    double messages;          // n
    sonde::seconds wait;      // d, busy wait between messages
    sonde::seconds prtt_1;    // PRTT(1, 0, s)
    sonde::seconds prtt_n;    // PRTT(n, 0, s)
    sonde::seconds prtt_nd;   // PRTT(n, d, s)
    sonde::seconds receive_1; // T(1), of the receiver
    sonde::seconds receive_n; // T(n), of the receiver, with a wait before each message but the first

    /// Interval between consecutive messages: g + (s - 1) G where the network is the limit.
    constexpr sonde::seconds interval() const { return (prtt_n - prtt_1) / (messages - 1); }
    /// o_s(s), if the wait is longer than the interval.
    constexpr sonde::seconds send_overhead() const { return (prtt_nd - prtt_1) / (messages - 1) - wait; }
    /// o_r(s), if the wait is longer than the interval.
    constexpr sonde::seconds receive_overhead() const { return (receive_n - receive_1) / (messages - 1) - wait; }
};

/// Time of the slowest of k concurrent pairs.
template <>
struct model_point<sonde::model::max_rate> {
    sonde::model::bytes size; // of each message
    double pairs;             // k, concurrent pairs
    sonde::seconds time;      // of the slowest pair
};

/// Total time of `repetitions` ping-pongs of each of the two pairs.
template <>
struct model_point<sonde::model::multi_ping_pong> {
    sonde::model::bytes size; // of each message
    double repetitions;
    sonde::seconds time; // in total
};

/// Points for a fit from records: `points_of<sonde::model::hockney>(records)`. The time is the median over samples of
/// the slowest rank's times.
///
///     hockney            ping-pongs of one pair: half a round trip
///     multi_ping_pong    ping-pongs of two concurrent pairs: a sample of `batch` repetitions
///     max_rate           any number of concurrent pairs, records of all numbers together: half a round trip, or a
///                        window of messages with its acknowledgement
///     log_gp             records of `log_gp_measurement`: the five records of a size make one point; if a size was
///                        measured again, its next five records make another
///
/// Throws fit_error, with the name of the record's point, for a record of another measurement or without a positive
/// time, and for a size of LogGP that lacks one of the five records.
template <class Model>
[[nodiscard]] std::vector<model_point<Model>> points_of(std::vector<sonde::record> const& records);
template <>
std::vector<model_point<sonde::model::hockney>>
points_of<sonde::model::hockney>(std::vector<sonde::record> const& records);
template <>
std::vector<model_point<sonde::model::multi_ping_pong>>
points_of<sonde::model::multi_ping_pong>(std::vector<sonde::record> const& records);
template <>
std::vector<model_point<sonde::model::max_rate>>
points_of<sonde::model::max_rate>(std::vector<sonde::record> const& records);
template <>
std::vector<model_point<sonde::model::log_gp>>
points_of<sonde::model::log_gp>(std::vector<sonde::record> const& records);

} // namespace tools
