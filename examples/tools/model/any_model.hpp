// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/hockney.hpp>
#include <sonde/model/log_gp.hpp>
#include <sonde/model/max_rate.hpp>
#include <sonde/model/multi_ping_pong.hpp>

#include <string>
#include <variant>

namespace tools::model {

enum class kind : unsigned char { hockney, multi, max_rate, log_gp };

using any_model = std::variant<sonde::model::piecewise_hockney, sonde::model::multi_ping_pong, sonde::model::max_rate,
                               sonde::model::piecewise_log_gp>;

/// What a time is of.
struct occasion {
    double bytes = 0;
    double pairs = 1;
    double repetitions = 1; // of both pairs of the multi-mode model
    double messages = 1;    // one after the other in one direction, of LogGP
};

/// "hockney", as `--model` takes it.
char const* name(kind k);
/// Throws std::runtime_error, with what is accepted.
kind kind_of(std::string const& name);
/// "T(x) = alpha + x / r_inf".
std::string formula(kind k, sonde::model::latency_form form);

sonde::seconds time_of(any_model const& model, occasion const& at);
/// In bytes per second, of all pairs together.
double bandwidth(occasion const& at, sonde::seconds time, kind k);

} // namespace tools::model
