// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "stage.hpp"

#include <sonde/mpi/sync.hpp>
#include <sonde/plan.hpp>
#include <sonde/record.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace imb::p2p {

/// Before the warm-up and before the one sample, which is the loop: a dissemination barrier.
struct starting {
    void operator()(sonde::mpi::group const& group, std::size_t i) const {
        if (i == 0) sonde::mpi::dissemination_barrier(group)(group, i);
    }
};
using plan = sonde::plan<sonde::mpi::wtime, sonde::samples, starting>;

/// One size of a benchmark. Collective over the ranks.
struct work {
    std::function<sonde::record(plan const&, sonde::point)> measure;
    std::function<std::size_t()> wrong_bytes; // of all ranks, in a pass of its own: what `-check` counts
};

struct benchmark {
    std::string name;
    std::string invalid = "is invalid for"; // "<ranks> processes": said where it does not fit
    std::string processes = "processes";
    std::function<bool(int ranks)> fits;
    std::function<std::string(int ranks)> layout; // in the title
    std::size_t slots = 1;                        // messages under way together, each way
    std::size_t messages = 1;                     // that a rank sends in a repetition; of random ones, in the mean
    double hops = 1;                              // 2 where the two of a pair take turns
    std::function<work(benchmark const&, stage const&, std::size_t bytes)> make;
};

/// The benchmarks in the order in which they run.
std::vector<benchmark> const& rows();

} // namespace imb::p2p
