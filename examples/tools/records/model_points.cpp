// SPDX-License-Identifier: BSL-1.0
#include "tools/records/model_points.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tools {

using sonde::model::hockney;
using sonde::model::log_gp;
using sonde::model::max_rate;
using sonde::model::multi_ping_pong;

namespace {

std::string size_text(sonde::model::bytes size) { return sonde::detail::text_of(size.count()) + " B"; }

[[noreturn]] void refuse(sonde::record const& r, std::string const& why) {
    auto text = r.point.name;
    for (auto const& p : r.point.parameters) text.append(", ").append(p.name).append(" ").append(p.text);
    throw fit_error{text + ": " + why};
}

/// Median, finite and positive.
sonde::seconds time_of(sonde::record const& r) {
    if (sample_count(r) == 0) refuse(r, "no samples");
    auto const time = sonde::median(r);
    if (!sonde::detail::is_finite(time.count())) refuse(r, "a time that is not finite");
    if (time.count() <= 0) refuse(r, "a time of " + sonde::detail::text_of(time.count()) + " s");
    return time;
}

/// Number of pairs: the number of initiators, or half the number of ranks if all ranks are initiators, as in the Intel
/// MPI Benchmarks.
int concurrent_pairs(sonde::record const& r) {
    return r.initiators == r.ranks && r.ranks % 2 == 0 ? r.initiators / 2 : r.initiators;
}

/// Bytes of a message or of a window of messages that one initiator transfers in one direction.
sonde::model::bytes size_of(sonde::record const& r) {
    auto const size = static_cast<double>(r.total.bytes) / (concurrent_pairs(r) * r.total.hops);
    if (!sonde::detail::is_finite(size) || size < 0) refuse(r, "a size of " + size_text(sonde::model::bytes{size}));
    return sonde::model::bytes{size};
}

void require_messages(sonde::record const& r) {
    if (r.initiators < 1) refuse(r, "no initiator");
    if (r.total.messages == 0 || !(r.total.hops > 0)) refuse(r, "no messages");
}

void require_ping_pong(sonde::record const& r, int pairs) {
    require_messages(r);
    auto const found = concurrent_pairs(r);
    if (r.total.hops != 2 || r.total.messages != 2 * static_cast<std::size_t>(found)) refuse(r, "not a ping-pong");
    if (found != pairs)
        refuse(r, "concurrent pairs: " + std::to_string(found) + ", the model has " + std::to_string(pairs));
}

model_point<hockney> point_of(sonde::record const& r, std::type_identity<hockney>) {
    require_ping_pong(r, 1);
    return {size_of(r), time_of(r) / r.total.hops};
}

model_point<multi_ping_pong> point_of(sonde::record const& r, std::type_identity<multi_ping_pong>) {
    require_ping_pong(r, 2);
    if (r.total.bytes == 0) refuse(r, "messages of 0 bytes share no link");
    auto const repetitions = static_cast<double>(r.batch);
    return {size_of(r), repetitions, time_of(r) * repetitions};
}

model_point<max_rate> point_of(sonde::record const& r, std::type_identity<max_rate>) {
    require_messages(r);
    return {size_of(r), static_cast<double>(concurrent_pairs(r)), time_of(r) / r.total.hops};
}

/// Parameter of a record's point; nullptr if no parameter has this name.
sonde::parameter const* find_parameter(sonde::record const& r, std::string_view name) {
    for (auto const& p : r.point.parameters)
        if (p.name == name) return &p;
    return nullptr;
}

double parameter_number(sonde::record const& r, std::string_view name) {
    auto const* const p = find_parameter(r, name);
    if (p == nullptr || !p->number) refuse(r, "no number of " + std::string{name});
    return *p->number;
}

constexpr std::array log_gp_times{"PRTT(1, 0, s)", "PRTT(n, 0, s)", "PRTT(n, d, s)", "the receiver's T(1)",
                                  "the receiver's T(n)"};

/// Index of a record's time in `log_gp_times`.
std::size_t log_gp_time_of(sonde::record const& r) {
    auto const* const side = find_parameter(r, "side");
    auto const many = parameter_number(r, "messages") > 1;
    auto const waits = parameter_number(r, "wait_seconds") > 0;
    if (side != nullptr && side->text == "receive") return many ? 4 : 3;
    if (side == nullptr || side->text != "send" || (waits && !many))
        refuse(r, "neither a sender's nor a receiver's time");
    return !many ? 0 : waits ? 2 : 1;
}

/// The five records of a size, by their index in `log_gp_times`.
using log_gp_records = std::array<sonde::record const*, log_gp_times.size()>;

/// The value of the parameter `name` in the selected records of a size. Throws fit_error unless it is equal in all of
/// them.
double common_number(log_gp_records const& records, std::array<std::size_t, 3> indices, std::string_view name) {
    auto const first = parameter_number(*records[indices[0]], name);
    for (auto const i : indices)
        if (parameter_number(*records[i], name) != first)
            refuse(*records[i],
                   std::string{name} + " " + sonde::detail::text_of(first) + " in other records of this size");
    return first;
}

model_point<log_gp> point_of(log_gp_records const& records, sonde::model::bytes size) {
    std::array<sonde::seconds, log_gp_times.size()> times{};
    for (std::size_t i = 0; i != times.size(); ++i) {
        if (records[i] == nullptr) throw fit_error{"round trips of " + size_text(size) + ": no " + log_gp_times[i]};
        times[i] = time_of(*records[i]);
    }
    auto const messages = common_number(records, {1, 2, 4}, "messages");
    auto const wait = sonde::seconds{common_number(records, {2, 3, 4}, "wait_seconds")};
    return {size, messages, wait, times[0], times[1], times[2], times[3], times[4]};
}

template <class Model>
std::vector<model_point<Model>> point_of_each(std::vector<sonde::record> const& records) {
    std::vector<model_point<Model>> points;
    for (auto const& r : records) points.push_back(point_of(r, std::type_identity<Model>{}));
    return points;
}

} // namespace

template <>
std::vector<model_point<hockney>> points_of<hockney>(std::vector<sonde::record> const& records) {
    return point_of_each<hockney>(records);
}
template <>
std::vector<model_point<multi_ping_pong>> points_of<multi_ping_pong>(std::vector<sonde::record> const& records) {
    return point_of_each<multi_ping_pong>(records);
}
template <>
std::vector<model_point<max_rate>> points_of<max_rate>(std::vector<sonde::record> const& records) {
    return point_of_each<max_rate>(records);
}
template <>
std::vector<model_point<log_gp>> points_of<log_gp>(std::vector<sonde::record> const& records) {
    std::vector<std::pair<double, log_gp_records>> sizes;
    for (auto const& r : records) {
        auto const size = parameter_number(r, "bytes");
        auto const time = log_gp_time_of(r);
        std::size_t i = 0;
        while (i != sizes.size() && (sizes[i].first != size || sizes[i].second[time] != nullptr)) ++i;
        if (i == sizes.size()) sizes.push_back({size, {}});
        sizes[i].second[time] = &r;
    }
    std::vector<model_point<log_gp>> points;
    for (auto const& [size, of_size] : sizes) points.push_back(point_of(of_size, sonde::model::bytes{size}));
    return points;
}

} // namespace tools
