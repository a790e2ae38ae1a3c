// SPDX-License-Identifier: BSL-1.0
#include "tools/model/models/model_rows.hpp"
#include "tools/model/regression/max_rate_fit.hpp"

#include <cstddef>
#include <limits>

namespace tools::model {

namespace {

using sonde::seconds;
using sonde::model::bytes;
using sonde::model::rate;

constexpr model_parameter max_rate_parameters[] = {{"alpha", "s"}, {"R_C", "B/s"}, {"R_N", "B/s"}};

seconds max_rate_time(model_variant const& of, workload const& at) {
    auto const& m = std::get<sonde::model::max_rate>(of);
    return m.time(bytes{at.bytes}, at.pairs);
}

tools::model_point<sonde::model::max_rate> max_rate_point(observation const& o) {
    return {bytes{o.at.bytes}, o.at.pairs, o.measured};
}

fit_result max_rate_fit(selection const& data, latency_form) {
    return result_of(data, regression::fit(points_of(data, max_rate_point)));
}

bool has_pairs(log_table const& t) { return t.what.pairs != 0; }

model_variant max_rate_model_of(segment_values const& value, latency_form) {
    return sonde::model::max_rate{seconds{value("alpha")}, rate{value("R_C")}, rate{value("R_N")}};
}

} // namespace

constinit model_row const max_rate_row{
    .kind = model_kind::max_rate,
    .name = "max-rate",
    .formula = "T(n, k) = alpha + k n / min(R_N, k R_C), k_sat = R_N / R_C; of k pairs at the same time",
    .published = nullptr,
    .parameters = max_rate_parameters,
    .argument = model_argument{"pairs", &workload::pairs},
    .shows_bandwidth = true,
    .data = "ping-pongs, or windows of messages, of a known number of pairs",
    .one_node = "All pairs are on one node: what they share is its memory, and no network interface.",
    .title = "Ping-pong of several pairs at once",
    .sizes = "1:4M",
    .least_pairs = 1,
    .most_pairs = std::numeric_limits<std::size_t>::max(),
    .records = 1,
    .time = max_rate_time,
    .fit = max_rate_fit,
    .model_of = max_rate_model_of,
    .takes = has_pairs,
    .measured = &point_measurement::several_pairs};

} // namespace tools::model
