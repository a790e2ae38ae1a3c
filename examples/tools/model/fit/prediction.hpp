// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/model/fit/fit.hpp"

#include <string>
#include <vector>

namespace tools::model {

/// Command line of `sonde-model predict`.
struct predict_options {
    std::optional<std::string> file{};
    std::optional<std::size_t> table{}; // of several fits in the file
    std::optional<model_kind> model{};
    std::optional<sonde::model::latency_form> form{};
    std::vector<std::string> settings{}; // NAME=VALUE, NAME@RANGE=VALUE
    std::optional<std::string> sizes{};
    std::size_t per_octave = 4; // sizes per doubling
    std::vector<long> pairs{};
    std::optional<double> repetitions{};
    std::vector<long> messages{};
    std::optional<std::string> collective{};
    std::optional<int> processes{}; // of the collective
};

struct prediction {
    model_kind kind;
    sonde::model::latency_form form;
    std::string formula{};
    std::optional<std::string> collective{};
    int processes = 0;                // of the collective
    std::vector<observation> times{}; // in the order of pairs or messages, then of sizes
    std::vector<std::string> warnings{};
};

/// Throws std::runtime_error for invalid options, and for a parameter that is missing or not determined.
prediction predict(predict_options const& options);

/// `sonde-model predict`. Returns the exit status. Throws what tools::guarded prints.
int predict_command(int argc, char** argv);

} // namespace tools::model
