// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tools::replay {

/// The environment variables SONDE_TRACE_... of docs/sonde-replay.md.
struct trace_settings {
    std::string output = "sonde.trace";
    std::vector<bool> ranks; // empty: all
    std::optional<std::chrono::nanoseconds> from, to;
    bool between_marks = false;
    std::size_t memory = std::size_t{64} << 20;
    std::size_t frames = 1;                                         // functions of a call site
    std::chrono::nanoseconds checkpoint = std::chrono::seconds{10}; // 0: none
    std::optional<std::string> page_folder;                         // empty: /dev/shm, if it is there; "none": no page
    std::string monitor;                                            // path of its file; empty: no monitor
    std::chrono::nanoseconds monitor_interval = std::chrono::seconds{10};

    bool records(int rank) const {
        return ranks.empty() ||
               (static_cast<std::size_t>(rank) < ranks.size() && ranks[static_cast<std::size_t>(rank)]);
    }
    bool records_any_of(int size) const {
        auto any = false;
        for (int rank = 0; rank != size; ++rank) any = any || records(rank);
        return any;
    }
};

/// The settings of an environment: "NAME=VALUE" texts. Throws std::invalid_argument, which names the variable, for a
/// value that it does not take, and for a name SONDE_TRACE_... that is no variable.
trace_settings settings_of(char const* const* environment);

} // namespace tools::replay
