// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/record.hpp>
#include <sonde/model.hpp>
#include <sonde/model/fit/result.hpp>

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sonde::inline v0_1::model {

namespace detail {

[[noreturn]] inline void refuse(record const& r, std::string const& why) {
    auto text = r.point.name;
    for (auto const& p : r.point.parameters) text.append(", ").append(p.name).append(" ").append(p.text);
    throw fit_error{text + ": " + why};
}

/// Median, finite and positive.
inline seconds time_of(record const& r) {
    if (sample_count(r) == 0) refuse(r, "no samples");
    auto const time = median(r);
    if (!is_finite(time.count())) refuse(r, "a time that is not finite");
    if (time.count() <= 0) refuse(r, "a time of " + sonde::detail::text_of(time.count()) + " s");
    return time;
}

/// Number of pairs: the number of initiators, or half the number of ranks if all ranks are initiators, as in the Intel
/// MPI Benchmarks.
inline int pairs_of(record const& r) {
    return r.initiators == r.ranks && r.ranks % 2 == 0 ? r.initiators / 2 : r.initiators;
}

/// Bytes of a message or of a window of messages that one initiator transfers in one direction.
inline bytes size_of(record const& r) {
    auto const size = static_cast<double>(r.total.bytes) / (pairs_of(r) * r.total.hops);
    if (!is_finite(size) || size < 0) refuse(r, "a size of " + text_of(bytes{size}));
    return bytes{size};
}

inline void require_messages(record const& r) {
    if (r.initiators < 1) refuse(r, "no initiator");
    if (r.total.messages == 0 || !(r.total.hops > 0)) refuse(r, "no messages");
}

inline void require_ping_pong(record const& r, int pairs) {
    require_messages(r);
    auto const found = pairs_of(r);
    if (r.total.hops != 2 || r.total.messages != 2 * static_cast<std::size_t>(found)) refuse(r, "not a ping-pong");
    if (found != pairs)
        refuse(r, "concurrent pairs: " + std::to_string(found) + ", the model has " + std::to_string(pairs));
}

inline hockney::point point_of(record const& r, std::type_identity<hockney>) {
    require_ping_pong(r, 1);
    return {size_of(r), time_of(r) / r.total.hops};
}

inline multi_ping_pong::point point_of(record const& r, std::type_identity<multi_ping_pong>) {
    require_ping_pong(r, 2);
    if (r.total.bytes == 0) refuse(r, "messages of 0 bytes share no link");
    auto const repetitions = static_cast<double>(r.batch);
    return {size_of(r), repetitions, time_of(r) * repetitions};
}

inline max_rate::point point_of(record const& r, std::type_identity<max_rate>) {
    require_messages(r);
    return {size_of(r), static_cast<double>(pairs_of(r)), time_of(r) / r.total.hops};
}

/// Parameter of a record's point; nullptr if no parameter has this name.
inline sonde::parameter const* find_parameter(record const& r, std::string_view name) {
    for (auto const& p : r.point.parameters)
        if (p.name == name) return &p;
    return nullptr;
}

inline double number_of(record const& r, std::string_view name) {
    auto const* const p = find_parameter(r, name);
    if (p == nullptr || !p->number) refuse(r, "no number of " + std::string{name});
    return *p->number;
}

inline constexpr std::array log_gp_times{"PRTT(1, 0, s)", "PRTT(n, 0, s)", "PRTT(n, d, s)", "the receiver's T(1)",
                                         "the receiver's T(n)"};

/// Index of a record's time in `log_gp_times`.
inline std::size_t log_gp_time_of(record const& r) {
    auto const* const side = find_parameter(r, "side");
    auto const many = number_of(r, "messages") > 1;
    auto const waits = number_of(r, "wait_seconds") > 0;
    if (side != nullptr && side->text == "receive") return many ? 4 : 3;
    if (side == nullptr || side->text != "send" || (waits && !many))
        refuse(r, "neither a sender's nor a receiver's time");
    return !many ? 0 : waits ? 2 : 1;
}

/// The five records of a size, by their index in `log_gp_times`.
using log_gp_records = std::array<record const*, log_gp_times.size()>;

/// The value of the parameter `name` in the selected records of a size. Throws fit_error unless it is equal in all of
/// them.
inline double common_number(log_gp_records const& records, std::array<std::size_t, 3> indices, std::string_view name) {
    auto const first = number_of(*records[indices[0]], name);
    for (auto const i : indices)
        if (number_of(*records[i], name) != first)
            refuse(*records[i],
                   std::string{name} + " " + sonde::detail::text_of(first) + " in other records of this size");
    return first;
}

inline piecewise_log_gp::point point_of(log_gp_records const& records, bytes size) {
    std::array<seconds, log_gp_times.size()> times{};
    for (std::size_t i = 0; i != times.size(); ++i) {
        if (records[i] == nullptr) throw fit_error{"round trips of " + text_of(size) + ": no " + log_gp_times[i]};
        times[i] = time_of(*records[i]);
    }
    auto const messages = common_number(records, {1, 2, 4}, "messages");
    auto const wait = seconds{common_number(records, {2, 3, 4}, "wait_seconds")};
    return {size, messages, wait, times[0], times[1], times[2], times[3], times[4]};
}

} // namespace detail

/// Points for a fit from records: `points_of<hockney>(records)`. The time is the median over samples of the slowest
/// rank's times.
///
///     hockney            ping-pongs of one pair: half a round trip
///     multi_ping_pong    ping-pongs of two concurrent pairs: a sample of `batch` repetitions
///     max_rate           any number of concurrent pairs, records of all numbers together: half a round trip, or a
///                        window of messages with its acknowledgement
///
/// Throws fit_error, with the name of the record's point, for a record of another measurement or without a positive
/// time.
template <class Model>
    requires std::same_as<Model, hockney> || std::same_as<Model, multi_ping_pong> || std::same_as<Model, max_rate>
[[nodiscard]] std::vector<typename Model::point> points_of(std::vector<record> const& records) {
    std::vector<typename Model::point> points;
    for (auto const& r : records) points.push_back(detail::point_of(r, std::type_identity<Model>{}));
    return points;
}

/// Points of a LogGP model from the records of `log_gp_measurement`: `points_of<piecewise_log_gp>(records)`.
///
/// The five records of a size make one point; if a size was measured again, its next five records make another. Throws
/// fit_error for a record of another measurement, and for a size that lacks one of the five records.
template <std::same_as<piecewise_log_gp> Model>
[[nodiscard]] std::vector<piecewise_log_gp::point> points_of(std::vector<record> const& records) {
    std::vector<std::pair<double, detail::log_gp_records>> sizes;
    for (auto const& r : records) {
        auto const size = detail::number_of(r, "bytes");
        auto const time = detail::log_gp_time_of(r);
        std::size_t i = 0;
        while (i != sizes.size() && (sizes[i].first != size || sizes[i].second[time] != nullptr)) ++i;
        if (i == sizes.size()) sizes.push_back({size, {}});
        sizes[i].second[time] = &r;
    }
    std::vector<piecewise_log_gp::point> points;
    for (auto const& [size, of_size] : sizes) points.push_back(detail::point_of(of_size, bytes{size}));
    return points;
}

} // namespace sonde::model
