// SPDX-License-Identifier: BSL-1.0
#include "tools/model/models/model_rows.hpp"
#include "tools/model/regression/log_gp_fit.hpp"
#include "tools/records/model_points.hpp"

#include <algorithm>

namespace tools::model {

namespace {

using sonde::seconds;
using sonde::model::bytes;

constexpr model_parameter log_gp_parameters[] = {
    {"L", "s"}, {"o_s", "s"}, {"o_r", "s"}, {"g", "s"}, {"G", "s/B"}, {"o_s per byte", "s/B"}, {"o_r per byte", "s/B"}};

seconds log_gp_time(model_variant const& of, workload const& at) {
    auto const& m = std::get<sonde::model::piecewise_log_gp>(of);
    return m.at(bytes{at.bytes}).model.time(bytes{at.bytes}, at.messages);
}

/// Adds the time of one message, and of many without the way back, which takes as long as one message.
void add_times(tools::model_point<sonde::model::log_gp> const& p, std::vector<observation>& to) {
    auto const one = p.prtt_1 / 2;
    to.push_back({{.bytes = p.size.count()}, one});
    to.push_back({{.bytes = p.size.count(), .messages = p.messages}, p.prtt_n - one});
}

fit_result log_gp_fit(selection const& data, latency_form) {
    auto const points = tools::points_of<sonde::model::log_gp>(data.round_trips);
    auto result = result_of(data, regression::fit(points));
    for (auto const& p : points) add_times(p, result.data);
    return result;
}

/// Its overheads are those of the smallest size, and may grow per byte from there.
sonde::model::log_gp log_gp_of(segment_values const& value) {
    auto const growth = [&](char const* name) { return seconds{value.has(name) ? value(name) : 0}; };
    auto const from = value.has("breakpoint") ? value("breakpoint") : std::max(1.0, value.smallest_size());
    return {seconds{value("L")}, seconds{value("o_s")},  seconds{value("o_r")},  seconds{value("g")},
            seconds{value("G")}, growth("o_s per byte"), growth("o_r per byte"), bytes{from}};
}

model_variant log_gp_model_of(segment_values const& value, latency_form) {
    return sonde::model::piecewise_log_gp{{{bytes{0}, log_gp_of(value)}}};
}

} // namespace

constinit model_row const log_gp_row{
    .kind = model_kind::log_gp,
    .name = "loggp",
    .formula = "T(x) = o_s + (x - 1) G + L + o_r; interval of messages max(g + (x - 1) G, o_s, o_r)",
    .published = nullptr,
    .parameters = log_gp_parameters,
    .argument = model_argument{"messages", &workload::messages},
    .shows_bandwidth = false,
    .data = "round trips, which `sonde-model measure` records",
    .one_node = "",
    .title = "Parametrized round trips of one pair",
    .sizes = "1K:32K:1K",
    .least_pairs = 1,
    .most_pairs = 1,
    .records = 5,
    .time = log_gp_time,
    .fit = log_gp_fit,
    .model_of = log_gp_model_of,
    .takes = nullptr,
    .measured = &point_measurement::round_trips};

} // namespace tools::model
