// SPDX-License-Identifier: BSL-1.0
#include "tools/model/models/model_rows.hpp"
#include "tools/model/regression/max_rate_fit.hpp"

namespace tools::model {

namespace {

using sonde::seconds;
using sonde::model::bytes;
using sonde::model::rate;

constexpr model_parameter multi_parameters[] = {{"C", "B"}, {"B_r", "B/s"}, {"T_l", "s"}};

seconds multi_time(model_variant const& of, workload const& at) {
    auto const& m = std::get<sonde::model::multi_ping_pong>(of);
    return m.time(bytes{at.bytes}, at.repetitions);
}

tools::model_point<sonde::model::multi_ping_pong> multi_point(observation const& o) {
    return {bytes{o.at.bytes}, o.at.repetitions, o.measured};
}

fit_result multi_fit(selection const& data, latency_form form) {
    return result_of(data, regression::fit(points_of(data, multi_point), form));
}

bool is_of_two_pairs(log_table const& t) { return t.operation == timed_operation::ping_pong && t.what.pairs == 2; }

model_variant multi_model_of(segment_values const& value, latency_form form) {
    return sonde::model::multi_ping_pong{bytes{value("C")}, rate{value("B_r")}, seconds{value("T_l")}, form};
}

} // namespace

constinit model_row const multi_row{
    .kind = model_kind::multi,
    .name = "multi",
    .formula = "T_b(x) = x / B_r (4n - (2n - 1) / beta) + T_l 2n, beta = max(1, x / C); of n ping-pongs of both pairs",
    .published = "T_b(x) = x / B_r (4n - (2n - 1) / beta) + T_l (4n - 1), beta = max(1, x / C); of n ping-pongs of "
                 "both pairs",
    .parameters = multi_parameters,
    .argument = model_argument{"repetitions", &workload::repetitions},
    .shows_bandwidth = true,
    .data = "ping-pongs of two pairs at the same time",
    .one_node = "Both pairs are on one node: the model is of two nodes' link, and does not apply to what is measured.",
    .title = "Ping-pong of two pairs at once",
    .sizes = "40K:8M",
    .least_pairs = 2,
    .most_pairs = 2,
    .records = 1,
    .time = multi_time,
    .fit = multi_fit,
    .model_of = multi_model_of,
    .takes = is_of_two_pairs,
    .measured = &point_measurement::two_pairs};

} // namespace tools::model
