// SPDX-License-Identifier: BSL-1.0
#include "tools/model/models.hpp"

#include <sonde/model.hpp>
#include <sonde/report/text.hpp>

#include <cstddef>
#include <iterator>
#include <stdexcept>

namespace tools::model {

namespace {

using sonde::seconds;
using sonde::model::bytes;
using sonde::model::latency_form;

seconds time_at(sonde::model::piecewise_hockney const& m, workload const& at) { return m.time(bytes{at.bytes}); }
seconds time_at(sonde::model::multi_ping_pong const& m, workload const& at) {
    return m.time(bytes{at.bytes}, at.repetitions);
}
seconds time_at(sonde::model::max_rate const& m, workload const& at) { return m.time(bytes{at.bytes}, at.pairs); }
seconds time_at(sonde::model::piecewise_log_gp const& m, workload const& at) {
    return m.at(bytes{at.bytes}).model.time(bytes{at.bytes}, at.messages);
}

} // namespace

std::string list_of_models() { return sonde::detail::joined(model_names, ", "); }

model_kind kind_of(std::string const& word) {
    for (std::size_t i = 0; i != std::size(model_names); ++i)
        if (model_names[i] == word) return static_cast<model_kind>(i);
    throw std::runtime_error{"the model '" + word + "' is none of " + list_of_models()};
}

char const* name(latency_form form) { return form == latency_form::published ? "published" : "time-line"; }

latency_form form_of(std::string const& word) {
    for (auto const form : {latency_form::published, latency_form::time_line})
        if (word == name(form)) return form;
    throw std::runtime_error{"--form '" + word + "' is none of time-line, published"};
}

std::string formula(model_kind kind, latency_form form) {
    switch (kind) {
    case model_kind::hockney:
        return "T(x) = alpha + x / r_inf, n_half = alpha r_inf; of half a ping-pong";
    case model_kind::multi:
        return std::string{"T_b(x) = x / B_r (4n - (2n - 1) / beta) + T_l "} +
               (form == latency_form::published ? "(4n - 1)" : "2n") +
               ", beta = max(1, x / C); of n ping-pongs of both pairs";
    case model_kind::max_rate:
        return "T(n, k) = alpha + k n / min(R_N, k R_C), k_sat = R_N / R_C; of k pairs at the same time";
    case model_kind::log_gp:
        return "T(x) = o_s + (x - 1) G + L + o_r; interval of messages max(g + (x - 1) G, o_s, o_r)";
    }
    return {};
}

seconds time_of(model_variant const& model, workload const& at) {
    return std::visit([&](auto const& m) { return time_at(m, at); }, model);
}

double bandwidth(workload const& at, seconds time, model_kind kind) {
    auto const messages = kind == model_kind::multi ? 4 * at.repetitions : at.pairs * at.messages;
    return messages * at.bytes / time.count();
}

std::string one_node_warning(model_kind kind) {
    if (kind == model_kind::multi)
        return "Both pairs are on one node: the model is of two nodes' link, and does not apply to what is measured.";
    if (kind == model_kind::max_rate)
        return "All pairs are on one node: what they share is its memory, and no network interface.";
    return "";
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
