// SPDX-License-Identifier: BSL-1.0
#include "tools/model/models.hpp"

#include <sonde/model.hpp>
#include <sonde/report/text.hpp>

#include <cstddef>
#include <limits>
#include <stdexcept>

namespace tools::model {

namespace {

using sonde::seconds;
using sonde::model::bytes;
using sonde::model::latency_form;

constexpr model_parameter hockney_parameters[] = {{"alpha", "s"}, {"r_inf", "B/s"}};
constexpr model_parameter multi_parameters[] = {{"C", "B"}, {"B_r", "B/s"}, {"T_l", "s"}};
constexpr model_parameter max_rate_parameters[] = {{"alpha", "s"}, {"R_C", "B/s"}, {"R_N", "B/s"}};
constexpr model_parameter log_gp_parameters[] = {
    {"L", "s"}, {"o_s", "s"}, {"o_r", "s"}, {"g", "s"}, {"G", "s/B"}, {"o_s per byte", "s/B"}, {"o_r per byte", "s/B"}};

constexpr auto any_number = std::numeric_limits<std::size_t>::max();

constexpr model_row rows[] = {
    {.kind = model_kind::hockney,
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
     .records = 1},
    {.kind = model_kind::multi,
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
     .records = 1},
    {.kind = model_kind::max_rate,
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
     .most_pairs = any_number,
     .records = 1},
    {.kind = model_kind::log_gp,
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
     .records = 5}};

seconds time_at(sonde::model::piecewise_hockney const& m, workload const& at) { return m.time(bytes{at.bytes}); }
seconds time_at(sonde::model::multi_ping_pong const& m, workload const& at) {
    return m.time(bytes{at.bytes}, at.repetitions);
}
seconds time_at(sonde::model::max_rate const& m, workload const& at) { return m.time(bytes{at.bytes}, at.pairs); }
seconds time_at(sonde::model::piecewise_log_gp const& m, workload const& at) {
    return m.at(bytes{at.bytes}).model.time(bytes{at.bytes}, at.messages);
}

} // namespace

model_row const& row_of(model_kind kind) { return rows[static_cast<std::size_t>(kind)]; }

std::vector<std::string> model_names() {
    std::vector<std::string> all;
    for (auto const& row : rows) all.emplace_back(row.name);
    return all;
}

model_kind kind_of(std::string const& word) {
    for (auto const& row : rows)
        if (row.name == word) return row.kind;
    throw std::runtime_error{"the model '" + word + "' is none of " + sonde::detail::joined(model_names(), ", ")};
}

char const* name(latency_form form) { return form == latency_form::published ? "published" : "time-line"; }

latency_form form_of(std::string const& word) {
    for (auto const form : {latency_form::published, latency_form::time_line})
        if (word == name(form)) return form;
    throw std::runtime_error{"--form '" + word + "' is none of time-line, published"};
}

std::string formula(model_kind kind, latency_form form) {
    auto const& row = row_of(kind);
    return form == latency_form::published && row.published != nullptr ? row.published : row.formula;
}

seconds time_of(model_variant const& model, workload const& at) {
    return std::visit([&](auto const& m) { return time_at(m, at); }, model);
}

double bandwidth(workload const& at, seconds time, model_kind kind) {
    auto const messages = kind == model_kind::multi ? 4 * at.repetitions : at.pairs * at.messages;
    return messages * at.bytes / time.count();
}

seconds collective_time(std::string const& name, int processes, model_variant const& of, double size, seconds gamma) {
    namespace costs = sonde::model::collectives;
    if (processes < 1) throw std::runtime_error{"--processes takes a number, 1 or more"};
    bytes const m{size};
    auto const& h = std::get<sonde::model::piecewise_hockney>(of).at(m).model;
    if (name == "barrier") return costs::barrier(h, processes);
    if (name == "broadcast") return costs::broadcast(h, processes, m);
    if (name == "allgather") return costs::allgather(h, processes, m);
    if (name == "alltoall") return costs::alltoall(h, processes, m);
    if (name == "allreduce") return costs::allreduce(h, processes, m, gamma);
    throw std::runtime_error{"--collective '" + name +
                             "' is none of barrier, broadcast, allgather, alltoall, allreduce"};
}

} // namespace tools::model
