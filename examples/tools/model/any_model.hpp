// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "kind.hpp"

#include <sonde/model/hockney.hpp>
#include <sonde/model/log_gp.hpp>
#include <sonde/model/max_rate.hpp>
#include <sonde/model/multi_ping_pong.hpp>

#include <string>
#include <variant>

namespace tools::model {

using any_model = std::variant<sonde::model::piecewise_hockney, sonde::model::multi_ping_pong, sonde::model::max_rate,
                               sonde::model::piecewise_log_gp>;

/// What a time is of.
struct occasion {
    double bytes = 0;
    double pairs = 1;
    double repetitions = 1; // of both pairs of the multi-mode model
    double messages = 1;    // one after the other in one direction, of LogGP
};

/// "T(x) = alpha + x / r_inf".
std::string formula(kind k, sonde::model::latency_form form);

char const* name(sonde::model::latency_form form);
/// "time-line" or "published". Throws std::runtime_error for another word.
sonde::model::latency_form form_of(std::string const& word);

sonde::seconds time_of(any_model const& model, occasion const& at);
/// In bytes per second, of all pairs together.
double bandwidth(occasion const& at, sonde::seconds time, kind k);

/// What a collective of so many processes takes at least, by Hockney's model of messages of this size: barrier,
/// broadcast, allgather, alltoall, allreduce. Throws std::runtime_error for another name, or no process.
sonde::seconds collective_time(std::string const& name, int processes, any_model const& of, double bytes,
                               sonde::seconds gamma);

} // namespace tools::model
