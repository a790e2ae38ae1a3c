// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/options.hpp"

#include <sonde/clock.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/model.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tools {
struct log_table;
}

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

/// Model of any kind, in the order of `model_kind`.
using model_variant = std::variant<sonde::model::piecewise_hockney, sonde::model::multi_ping_pong,
                                   sonde::model::max_rate, sonde::model::piecewise_log_gp>;

struct fit_result;
struct selection;
class segment_values;

/// Measurements of a point on the ranks of its pairs: a model takes the records of one of them.
class point_measurement {
public:
    virtual ~point_measurement() = default;
    virtual std::vector<sonde::record> one_pair() const = 0;
    virtual std::vector<sonde::record> two_pairs() const = 0;
    virtual std::vector<sonde::record> several_pairs() const = 0;
    virtual std::vector<sonde::record> round_trips() const = 0; // parametrized, of one pair
};

/// A model for the commands.
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
    sonde::seconds (*time)(model_variant const& model, workload const& at);
    fit_result (*fit)(selection const& data, sonde::model::latency_form form); // throws fit_error
    model_variant (*model_of)(segment_values const& value, sonde::model::latency_form form);
    bool (*takes)(log_table const& table); // of an operation that has a model; null if the data are round trips
    std::vector<sonde::record> (point_measurement::*measured)() const;
};

model_row const& row_of(model_kind kind);

inline std::string name(model_kind kind) { return row_of(kind).name; }
/// Words of the option --model.
std::vector<suite::choice<model_kind>> model_choices();
/// Throws std::runtime_error for any other word.
model_kind kind_of(std::string const& word);

/// Words of the option --form, of the multi-mode model.
std::vector<suite::choice<sonde::model::latency_form>> form_choices();
char const* name(sonde::model::latency_form form);
/// Throws std::runtime_error for any other word.
sonde::model::latency_form form_of(std::string const& word);

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
