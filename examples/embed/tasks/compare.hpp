// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "alone.hpp"
#include "questions.hpp"
#include "server.hpp"
#include "shared_counter.hpp"
#include "yardstick.hpp"

#include <sonde/mpi/mpi.hpp>
#include <sonde/sonde.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace tasks {

/// A way to get numbers, while all workers do: what one takes, and what a round takes, which is one and then work of an
/// average task. The number alone does not tell: an MPI library may serve the counter only while rank 0 is in a call,
/// and rank 0 is busy then.
struct measured_way {
    char const* name;
    int workers;
    sonde::record number;
    sonde::record round;
};

struct comparison {
    measured_way counter;
    measured_way server;
    sonde::record bare; // the counter's operation with nothing around it
};

/// Rounds of a sample: a hundredth of a worker's part of the job, so that measuring stays small beside it, and 10 ms of
/// work at most. Samples of one round would not show what ranks that share a core take from each other.
inline std::size_t rounds_of_sample(picture const& of, reference const& alone, int workers) {
    auto const tasks = static_cast<double>(of.tasks());
    auto const most = 10e-3 * tasks / alone.seconds;
    return static_cast<std::size_t>(std::ceil(std::min(tasks / workers / 100, most)));
}

/// Measure both ways where they are used: by the application's own classes, among its own ranks. The numbers come from
/// objects made for it, so that those of the job begin with 0. Collective; equal on all ranks.
inline comparison compare(MPI_Comm comm, picture const& of, reference const& alone) {
    shared_counter counter{comm};
    server asked{comm};
    sonde::mpi::group ranks{comm}; // a duplicate: no message of ours is taken for the application's
    auto const enough = sonde::samples{1000} || sonde::time_budget{sonde::seconds{0.1}};
    auto const numbers = sonde::plan<>{}.batch(10).until(enough);
    auto const measure = [&](auto& way) {
        auto const batch = rounds_of_sample(of, alone, way.workers());
        auto const rounds = sonde::plan<>{}.batch(batch).until(enough && sonde::samples{10}); // fewer decide nothing
        auto const work = [&] { iterate(alone.average); };
        return measured_way{way.name, way.workers(), sonde::run(ranks, numbers, questions(way, [] {})),
                            sonde::run(ranks, rounds, questions(way, work))};
    };
    auto by_counter = measure(counter), by_server = measure(asked);
    yardstick bare{ranks};
    return {std::move(by_counter), std::move(by_server), sonde::run(ranks, numbers, bare.pattern())};
}

} // namespace tasks
