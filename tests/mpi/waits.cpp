// SPDX-License-Identifier: BSL-1.0

// waits run|compare|group|exchange|first|never|off
//
// An application whose last rank does not come to a measurement, or to the construction of a group, until it is ended
// (run, compare, group), or whose first rank does not (first), or whose last rank does not come out of its exchange
// (exchange), or comes two seconds late: with a watchdog that is switched off (off), or with a limit that is not
// reached (never).

#include <sonde/measure/compare.hpp>
#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <mpi.h>
#include <unistd.h>

#include <string>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    std::string const how = argc > 1 ? argv[1] : "run";
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (how == "group" && rank == size - 1) sleep(600);
    {
        sonde::mpi::group ranks{MPI_COMM_WORLD};
        auto const plan = sonde::plan<>{}.until(sonde::samples{3});
        if (how == "off") ranks.set_watchdog({});
        if (rank == (how == "first" ? 0 : size - 1) && how != "exchange")
            sleep(how == "off" || how == "never" ? 2 : 600);
        sonde::named halo{"halo", [] {}};
        auto const hang = [&] {
            if (rank == size - 1) sleep(600);
        };
        if (how == "exchange")
            static_cast<void>(sonde::run(ranks, plan.synchronized(sonde::barrier_each{}), hang, "halo"));
        if (how == "compare") static_cast<void>(sonde::compare(ranks, plan, halo, [] {}));
        else static_cast<void>(sonde::run(ranks, plan, halo));
    }
    MPI_Finalize();
}
