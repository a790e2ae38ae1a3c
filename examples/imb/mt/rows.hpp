// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "figures.hpp"
#include "memory.hpp"
#include "options.hpp"
#include "team.hpp"

#include <sonde/mpi/sync.hpp>
#include <sonde/plan.hpp>
#include <sonde/record.hpp>

#include <barrier>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace imb::mt {

/// One thread of one rank: what it makes its benchmarks of.
struct instance {
    member& me;
    sonde::mpi::group const& ranks; // on this thread's communicator
    options const& asked;
    places at;
    std::barrier<>& threads; // of this process
};

/// Barriers before the first sample, or before each; `-barrier off`: none.
struct starting {
    bool meets = true;
    std::size_t each = 0;

    void operator()(member& me, std::size_t i) const {
        auto const barriers = each != 0 ? each : i == 0 ? std::size_t{1} : std::size_t{0};
        for (std::size_t k = 0; meets && k != barriers; ++k) me.barrier();
    }
};
using plan = sonde::plan<sonde::mpi::wtime, sonde::samples, starting>;

/// One size of a benchmark. Collective over all instances.
struct work {
    std::function<sonde::record(plan const&, sonde::point)> measure;
    std::function<std::size_t()> wrong_elements; // of this instance, in a pass of its own: what `-check` counts
};

enum class timing : unsigned char {
    loop,      // as a whole
    calls,     // one by one, and barriers between
    calls_only // one by one
};

enum class columns : unsigned char { times, times_bandwidth, bandwidth_rate };

struct benchmark {
    std::string name;
    columns shows = columns::times;
    timing timed = timing::loop;
    bool sized = true;
    bool window = false;
    std::size_t received = 1; // messages that have places of their own; of windows, as many as the window
    double time_divisor = 1;  // of windows, of a message
    double bandwidth_factor = 1;
    std::function<work(instance const&, std::size_t bytes)> make;
};

/// The benchmarks in the order in which they run.
std::vector<benchmark> const& rows();

} // namespace imb::mt
