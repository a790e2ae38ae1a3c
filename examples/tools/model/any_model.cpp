// SPDX-License-Identifier: BSL-1.0
#include "any_model.hpp"

#include <sonde/model/collectives.hpp>

#include <stdexcept>

namespace tools::model {

namespace {

using sonde::seconds;
using sonde::model::bytes;

seconds time_at(sonde::model::piecewise_hockney const& m, occasion const& at) { return m.time(bytes{at.bytes}); }
seconds time_at(sonde::model::multi_ping_pong const& m, occasion const& at) {
    return m.time(bytes{at.bytes}, at.repetitions);
}
seconds time_at(sonde::model::max_rate const& m, occasion const& at) { return m.time(bytes{at.bytes}, at.pairs); }
seconds time_at(sonde::model::piecewise_log_gp const& m, occasion const& at) {
    return m.at(bytes{at.bytes}).model.time(bytes{at.bytes}, at.messages);
}

} // namespace

std::string formula(kind k, sonde::model::latency_form form) {
    switch (k) {
    case kind::hockney:
        return "T(x) = alpha + x / r_inf, n_half = alpha r_inf; of half a ping-pong";
    case kind::multi:
        return std::string{"T_b(x) = x / B_r (4n - (2n - 1) / beta) + T_l "} +
               (form == sonde::model::latency_form::published ? "(4n - 1)" : "2n") +
               ", beta = max(1, x / C); of n ping-pongs of both pairs";
    case kind::max_rate:
        return "T(n, k) = alpha + k n / min(R_N, k R_C), k_sat = R_N / R_C; of k pairs at the same time";
    case kind::log_gp:
        return "T(x) = o_s + (x - 1) G + L + o_r; interval of messages max(g + (x - 1) G, o_s, o_r)";
    }
    return {};
}

char const* name(sonde::model::latency_form form) {
    return form == sonde::model::latency_form::published ? "published" : "time-line";
}

sonde::model::latency_form form_of(std::string const& word) {
    for (auto const form : {sonde::model::latency_form::published, sonde::model::latency_form::time_line})
        if (word == name(form)) return form;
    throw std::runtime_error{"--form '" + word + "' is none of time-line, published"};
}

seconds time_of(any_model const& model, occasion const& at) {
    return std::visit([&](auto const& m) { return time_at(m, at); }, model);
}

double bandwidth(occasion const& at, seconds time, kind k) {
    auto const messages = k == kind::multi ? 4 * at.repetitions : at.pairs * at.messages;
    return messages * at.bytes / time.count();
}

seconds collective_time(std::string const& name, int processes, any_model const& of, double size, seconds gamma) {
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
