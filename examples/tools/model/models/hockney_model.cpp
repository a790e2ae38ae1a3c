// SPDX-License-Identifier: BSL-1.0
#include "tools/model/models/model_rows.hpp"
#include "tools/model/regression/hockney_fit.hpp"

namespace tools::model {

namespace {

using sonde::seconds;
using sonde::model::bytes;
using sonde::model::rate;

constexpr model_parameter hockney_parameters[] = {{"alpha", "s"}, {"r_inf", "B/s"}};

seconds hockney_time(model_variant const& of, workload const& at) {
    auto const& m = std::get<sonde::model::piecewise_hockney>(of);
    return m.time(bytes{at.bytes});
}

tools::model_point<sonde::model::hockney> hockney_point(observation const& o) {
    return {bytes{o.at.bytes}, o.measured, o.resolution};
}

fit_result hockney_fit(selection const& data, latency_form) {
    return result_of(data, regression::fit(points_of(data, hockney_point)));
}

bool is_of_one_pair(log_table const& t) { return t.operation == timed_operation::ping_pong && t.what.pairs <= 1; }

model_variant hockney_model_of(segment_values const& value, latency_form) {
    return sonde::model::piecewise_hockney{{{bytes{0}, {seconds{value("alpha")}, rate{value("r_inf")}}}}};
}

} // namespace

constinit model_row const hockney_row{.kind = model_kind::hockney,
                                      .name = "hockney",
                                      .formula = "T(x) = alpha + x / r_inf, n_half = alpha r_inf; of half a ping-pong",
                                      .published = nullptr,
                                      .parameters = hockney_parameters,
                                      .argument = {},
                                      .shows_bandwidth = false,
                                      .data = "ping-pongs of one pair",
                                      .one_node = "",
                                      .title = "Ping-pong of one pair",
                                      .sizes = "1:4M",
                                      .least_pairs = 1,
                                      .most_pairs = 1,
                                      .records = 1,
                                      .time = hockney_time,
                                      .fit = hockney_fit,
                                      .model_of = hockney_model_of,
                                      .takes = is_of_one_pair,
                                      .measured = &point_measurement::one_pair};

} // namespace tools::model
