// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/model.hpp>

#include <cstddef>
#include <string>
#include <variant>

namespace tools::model {

enum class model_kind : unsigned char { hockney, multi, max_rate, log_gp };

/// Words of the option --model, in the order of `model_kind`.
inline constexpr char const* model_names[] = {"hockney", "multi", "max-rate", "loggp"};

inline std::string name(model_kind kind) { return model_names[static_cast<std::size_t>(kind)]; }
/// "hockney, multi, max-rate, loggp"
std::string list_of_models();
/// Throws std::runtime_error, with the accepted words, for any other word.
model_kind kind_of(std::string const& word);

/// Words of the option --form, of the multi-mode model: "time-line", "published".
char const* name(sonde::model::latency_form form);
/// Throws std::runtime_error for any other word.
sonde::model::latency_form form_of(std::string const& word);

/// Model of any kind, in the order of `model_kind`.
using model_variant = std::variant<sonde::model::piecewise_hockney, sonde::model::multi_ping_pong,
                                   sonde::model::max_rate, sonde::model::piecewise_log_gp>;

/// Arguments of a model's time. A model ignores those that it does not have.
struct workload {
    double bytes = 0; // of a message
    double pairs = 1;
    double repetitions = 1; // multi: ping-pongs of each pair
    double messages = 1;    // LogGP: consecutive messages in one direction
};

/// "T(x) = alpha + x / r_inf".
std::string formula(model_kind kind, sonde::model::latency_form form);

sonde::seconds time_of(model_variant const& model, workload const& at);
/// Bandwidth in bytes per second, of all pairs together.
double bandwidth(workload const& at, sonde::seconds time, model_kind kind);

/// Warning about measurements on one node; empty for models that also describe these.
std::string one_node_warning(model_kind kind);

/// Lower bound, by Hockney's model, of the time of a collective: barrier, broadcast, allgather, alltoall or allreduce
/// of messages of `bytes` bytes; `gamma` is the time to reduce a byte. Throws std::runtime_error for another name, or
/// fewer than one process.
sonde::seconds collective_time(std::string const& name, int processes, model_variant const& of, double bytes,
                               sonde::seconds gamma);

} // namespace tools::model
