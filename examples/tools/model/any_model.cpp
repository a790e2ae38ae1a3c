// SPDX-License-Identifier: BSL-1.0
#include "any_model.hpp"

#include <stdexcept>

namespace tools::model {

namespace {

constexpr kind kinds[] = {kind::hockney, kind::multi, kind::max_rate, kind::log_gp};

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

char const* name(kind k) {
    constexpr char const* names[] = {"hockney", "multi", "max-rate", "loggp"};
    return names[static_cast<std::size_t>(k)];
}

kind kind_of(std::string const& word) {
    for (auto const k : kinds)
        if (word == name(k)) return k;
    throw std::runtime_error{"the model '" + word + "' is none of hockney, multi, max-rate, loggp"};
}

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

seconds time_of(any_model const& model, occasion const& at) {
    return std::visit([&](auto const& m) { return time_at(m, at); }, model);
}

double bandwidth(occasion const& at, seconds time, kind k) {
    auto const messages = k == kind::multi ? 4 * at.repetitions : at.pairs * at.messages;
    return messages * at.bytes / time.count();
}

} // namespace tools::model
