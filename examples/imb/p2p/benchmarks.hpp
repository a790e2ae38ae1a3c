// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"
#include "imb/p2p/transport.hpp"

#include <sonde/measure/plan.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/mpi/group.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace imb::p2p {

/// Synchronization: a dissemination barrier before the warm-up and before the loop, which is the only sample.
struct start_barrier {
    void operator()(sonde::mpi::group const& group, std::size_t i) const {
        if (i == 0) sonde::mpi::dissemination_barrier(group)(group, i);
    }
};
using plan = sonde::plan<sonde::mpi::wtime, sonde::samples, start_barrier>;

struct benchmark;

/// Everything that a benchmark of one size needs. It outlives the `work` that refers to it.
struct setting {
    sonde::mpi::group& group;
    p2p::options const& options;
    benchmark const& test;
    message_buffers const& buffers;
    std::size_t bytes; // the size

    /// Plan that times n repetitions as a whole, after a tenth of them as warm-up.
    plan timed_loop(std::size_t n) const;
    sonde::point point() const;
    mpi_transport transport() const;
};

/// A row of the list of benchmarks.
struct benchmark {
    std::string name;
    std::string invalid = "is invalid for"; // "<ranks> processes": printed if it does not fit
    std::string processes = "processes";
    std::function<bool(int ranks)> fits;
    std::function<std::string(int ranks)> layout; // in the title
    std::size_t buffers = 1;                      // messages at the same time, in each direction
    std::size_t messages = 1;                     // that a rank sends per repetition; random benchmarks: on average
    double hops = 1;                              // 2 if the ranks of a pair alternate
    std::function<work(setting const&)> make;     // its `defects` counts the wrong bytes on all ranks
};

/// The benchmarks, in the order in which they run.
std::vector<benchmark> const& rows();

} // namespace imb::p2p
