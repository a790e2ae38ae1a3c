// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/metrics.hpp>
#include <sonde/model/fit/result.hpp>
#include <sonde/model/hockney.hpp>
#include <sonde/model/max_rate.hpp>
#include <sonde/model/multi_ping_pong.hpp>
#include <sonde/record.hpp>

#include <cmath>
#include <concepts>
#include <string>
#include <type_traits>
#include <vector>

namespace sonde::model {

namespace detail {

[[noreturn]] inline void no_point(record const& r, std::string const& why) {
    auto words = r.at.name;
    for (auto const& p : r.at.parameters) words.append(", ").append(p.name).append(" ").append(p.text);
    throw cannot_fit{words + ": " + why};
}

/// Throws where the time of a record is none.
inline seconds time_of(record const& r) {
    if (sample_count(r) == 0) no_point(r, "no samples");
    auto const time = typical(r);
    if (!std::isfinite(time.count())) no_point(r, "a time that is not finite");
    if (time.count() <= 0) no_point(r, "a time of " + sonde::detail::text_of(time.count()) + " s");
    return time;
}

/// Ranks that initiate; where all count, as in the Intel MPI Benchmarks, two of them are a pair.
inline int pairs_of(record const& r) {
    return r.initiators == r.ranks && r.ranks % 2 == 0 ? r.initiators / 2 : r.initiators;
}

/// Bytes of a message, or of a window of them: of an initiator, in one direction.
inline bytes size_of(record const& r) {
    auto const size = static_cast<double>(r.total.bytes) / (pairs_of(r) * r.total.legs);
    if (!std::isfinite(size) || size < 0) no_point(r, "a size of " + sonde::detail::text_of(size) + " B");
    return bytes{size};
}

inline void expect_pairs(record const& r) {
    if (r.initiators < 1) no_point(r, "no rank that initiates");
    if (r.total.messages == 0 || !(r.total.legs > 0)) no_point(r, "no messages");
}

/// Throws where a record is not of ping-pongs of so many pairs.
inline void expect_ping_pong(record const& r, int pairs) {
    expect_pairs(r);
    auto const found = pairs_of(r);
    if (r.total.legs != 2 || r.total.messages != 2 * static_cast<std::size_t>(found)) no_point(r, "not a ping-pong");
    if (found != pairs)
        no_point(r, "ping-pongs of " + std::to_string(found) + " at a time, not of " + std::to_string(pairs));
}

inline hockney::point point_of(record const& r, std::type_identity<hockney>) {
    expect_ping_pong(r, 1);
    return {size_of(r), time_of(r) / r.total.legs};
}

inline multi_ping_pong::point point_of(record const& r, std::type_identity<multi_ping_pong>) {
    expect_ping_pong(r, 2);
    if (r.total.bytes == 0) no_point(r, "messages of 0 bytes share no link");
    auto const repetitions = static_cast<double>(r.batch);
    return {size_of(r), repetitions, time_of(r) * repetitions};
}

inline max_rate::point point_of(record const& r, std::type_identity<max_rate>) {
    expect_pairs(r);
    return {size_of(r), static_cast<double>(pairs_of(r)), time_of(r) / r.total.legs};
}

} // namespace detail

/// What a model is fitted to, of records: `points_of<hockney>(records)`. The time is `typical`, the median over samples
/// of the slowest rank's.
///
///     hockney            ping-pongs of one pair: half of a round trip
///     multi_ping_pong    ping-pongs of two pairs at the same time: a sample, of `batch` repetitions
///     max_rate           any number of pairs at the same time, of all the records together: half of a round trip, or a
///                        window of messages with its answer
///
/// Throws cannot_fit, with the name of the point, for a record that is not such a measurement or has no positive time.
template <class Model>
    requires std::same_as<Model, hockney> || std::same_as<Model, multi_ping_pong> || std::same_as<Model, max_rate>
[[nodiscard]] std::vector<typename Model::point> points_of(std::vector<record> const& records) {
    std::vector<typename Model::point> points;
    for (auto const& r : records) points.push_back(detail::point_of(r, std::type_identity<Model>{}));
    return points;
}

} // namespace sonde::model
