// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/model.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tools::model {

enum class model_kind : unsigned char { hockney, multi, max_rate, log_gp };

/// Arguments of a model's time. A model ignores those that it does not have.
struct workload {
    double bytes = 0; // of a message
    double pairs = 1;
    double repetitions = 1; // multi: ping-pongs of each pair
    double messages = 1;    // LogGP: consecutive messages in one direction
};

/// Argument of a model's time beside the size, as tables call it.
struct model_argument {
    char const* name;
    double workload::*value;
};

/// Parameter of a model that is not derived from others.
struct model_parameter {
    std::string_view name;
    char const* unit; // "s", "B", "B/s", "s/B"
};

/// A model for the commands. Its data are chosen in fit/fit_selection.cpp, fitted in fit/fit.cpp, and measured in
/// measure/measurement.cpp.
struct model_row {
    model_kind kind;
    char const* name;      // of --model
    char const* formula;   // of the time line
    char const* published; // formula of --form published; null without forms
    std::span<model_parameter const> parameters;
    std::optional<model_argument> argument;
    bool shows_bandwidth; // figures show the bandwidth, not the time
    char const* data;     // that it takes
    char const* one_node; // warning about measurements on one node; empty if it also describes these
    char const* title;    // of its measurement
    char const* sizes;    // that are measured by default
    std::size_t least_pairs, most_pairs;
    std::size_t records; // of a measured point
};

model_row const& row_of(model_kind kind);

inline std::string name(model_kind kind) { return row_of(kind).name; }
/// Words of the option --model, in the order of `model_kind`.
std::vector<std::string> model_names();
/// Throws std::runtime_error, with the accepted words, for any other word.
model_kind kind_of(std::string const& word);

/// Words of the option --form, of the multi-mode model: "time-line", "published".
char const* name(sonde::model::latency_form form);
/// Throws std::runtime_error for any other word.
sonde::model::latency_form form_of(std::string const& word);

/// Model of any kind, in the order of `model_kind`.
using model_variant = std::variant<sonde::model::piecewise_hockney, sonde::model::multi_ping_pong,
                                   sonde::model::max_rate, sonde::model::piecewise_log_gp>;

/// "T(x) = alpha + x / r_inf".
std::string formula(model_kind kind, sonde::model::latency_form form);

sonde::seconds time_of(model_variant const& model, workload const& at);
/// Bandwidth in bytes per second, of all pairs together.
double bandwidth(workload const& at, sonde::seconds time, model_kind kind);

/// Lower bound, by Hockney's model, of the time of a collective: barrier, broadcast, allgather, alltoall or allreduce
/// of messages of `bytes` bytes; `gamma` is the time to reduce a byte. Throws std::runtime_error for another name, or
/// fewer than one process.
sonde::seconds collective_time(std::string const& name, int processes, model_variant const& of, double bytes,
                               sonde::seconds gamma);

} // namespace tools::model
