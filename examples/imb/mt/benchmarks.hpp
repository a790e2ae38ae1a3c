// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace imb::mt {

struct setting;

enum class timing : unsigned char {
    loop,      // the loop as a whole
    calls,     // each call, with barriers between calls
    calls_only // each call, without barriers
};

enum class columns : unsigned char { times, times_bandwidth, bandwidth_rate };

/// A row of the list of benchmarks.
struct benchmark {
    std::string name;
    columns shows = columns::times;
    timing timed = timing::loop;
    bool sized = true;
    bool window = false;
    std::size_t receive_buffers = 1; // messages; window benchmarks: the messages of the window
    double time_divisor = 1;         // of a repetition; window benchmarks: of a message
    double bandwidth_factor = 1;
    std::function<work(setting const&)> make{}; // its `defects` counts the wrong elements on this thread
};

/// The benchmarks, in the order in which they run.
std::vector<benchmark> const& rows();

} // namespace imb::mt
