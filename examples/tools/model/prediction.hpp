// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "selection.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tools::model {

/// What is asked for, as words.
struct wanted {
    std::optional<std::string> file{};
    std::optional<kind> model{};
    std::optional<sonde::model::latency_form> form{};
    std::vector<std::string> settings{}; // NAME=VALUE, NAME@RANGE=VALUE
    std::optional<std::string> sizes{};
    std::size_t per_octave = 4; // of a range of sizes
    std::optional<std::string> pairs{};
    std::optional<double> repetitions{};
    std::optional<std::string> messages{};
    std::optional<std::string> collective{};
    std::optional<int> processes{};
};

struct prediction {
    kind which;
    sonde::model::latency_form form;
    std::string formula{};
    std::optional<std::string> collective{};
    int processes = 0;                // of the collective
    std::vector<observation> times{}; // in the order of pairs or messages, then sizes
    std::vector<std::string> warnings{};
};

/// Throws std::runtime_error for words that say nothing, and for a parameter that is missing or that no data
/// determined.
prediction predict(wanted const& w);

} // namespace tools::model
