// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "ledger.hpp"
#include "picture.hpp"
#include "server.hpp"

#include <mpi.h>

#include <cstdint>

namespace tasks {

/// Numbers for a job of a single rank, which needs no server.
class own_numbers {
public:
    static constexpr auto name = "nobody to ask for numbers";

    std::int64_t next() { return next_++; }

private:
    std::int64_t next_ = 0;
};

/// Do tasks until the numbers of all tasks are used up.
template <class Way>
void work(picture const& of, Way& numbers, ledger& done) {
    for (auto task = numbers.next(); task < of.tasks(); task = numbers.next()) done.enter(task, iterations(of, task));
}

/// The server answers until every worker knows that no task is left; workers do tasks.
inline void work(picture const& of, server& numbers, ledger& done) {
    if (!numbers.serves()) return work<server>(of, numbers, done);
    for (auto working = numbers.workers(); working != 0;)
        if (numbers.serve(1) >= of.tasks()) --working;
}

/// Do all tasks on all ranks of the communicator. Returns the time from the first number to the end of the last task
/// on the last rank. Collective.
template <class Way>
double time_of_job(MPI_Comm comm, picture const& of, Way& numbers, ledger& done) {
    MPI_Barrier(comm);
    auto const begin = MPI_Wtime();
    work(of, numbers, done);
    auto took = MPI_Wtime() - begin;
    MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, comm);
    return took;
}

} // namespace tasks
