// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "alone.hpp"
#include "choice.hpp"
#include "questions.hpp"
#include "server.hpp"
#include "shared_counter.hpp"
#include "yardstick.hpp"

#include <sonde/measure/compare.hpp>
#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tasks {

/// Times of both ways to get numbers while all workers ask for them: the time of a number, and the time of a round,
/// which is a number and the work of an average task. The time of a number is not sufficient, because an MPI library
/// may serve the counter only while rank 0 is in an MPI call, and rank 0 is busy during a round.
struct measurements {
    sonde::comparison numbers; // of the counter, of its operation with nothing around it, of the server
    both_ways rounds;
    std::int64_t iterations; // of work, by this rank
};

/// Number of rounds in a sample: a hundredth of a worker's part of the job, so that the measurement is short compared
/// with the job, and at most 10 ms of work. Samples of a single round would not show how ranks that share a core slow
/// each other down.
inline std::size_t rounds_of_sample(picture const& of, reference const& alone, int workers) {
    auto const tasks = static_cast<double>(of.tasks());
    auto const most = 10e-3 * tasks / alone.seconds;
    return static_cast<std::size_t>(std::ceil(std::min(tasks / workers / 100, most)));
}

/// Compare both ways with the application's own classes, among its own ranks. The numbers come from objects made for
/// the comparison, so that the numbers of the job begin with 0. Collective; equal on all ranks, except the iterations.
inline measurements compare(MPI_Comm comm, picture const& of, reference const& alone) {
    shared_counter counter{comm};
    server asked{comm};
    sonde::mpi::group ranks{comm}; // a duplicate: no message of ours is taken for the application's
    yardstick bare{ranks};
    auto const enough = sonde::samples{1000} || sonde::time_budget{sonde::seconds{0.2}};
    auto const numbers = sonde::plan<>{}.batch(10).until(enough);
    auto const rounds = sonde::plan<>{}.batch(rounds_of_sample(of, alone, counter.workers()));

    std::int64_t iterations = 0;
    auto const work = [&] {
        iterations += iterate(alone.average);
    }; // the result is kept, because a compiler may remove work whose result is not used
    auto const nothing = [] {};
    auto const number =
        sonde::compare(ranks, numbers, questions(counter, nothing), bare.pattern(), questions(asked, nothing));
    auto const round = sonde::compare(ranks, rounds.until(enough && sonde::samples{12}), // fewer decide nothing
                                      questions(counter, work), questions(asked, work));
    return {number, {round, {counter.workers(), asked.workers()}}, iterations};
}

} // namespace tasks
