// SPDX-License-Identifier: BSL-1.0
#define DOCTEST_CONFIG_IMPLEMENT
#include "../aborting_listener.hpp"
#include "application.hpp"
#include "ledger.hpp"

#include <cstdio>

namespace {

MPI_Comm the_comm = MPI_COMM_NULL;

void end_job(char const* text) {
    std::fprintf(stderr, "rank %d: %s\n", application::rank(), text);
    PMPI_Abort(the_comm, 1);
}
REGISTER_LISTENER("aborts", 1, aborting_listener<end_job>);

/// True if no object of Sonde's is left in the MPI library, and no call used a foreign communicator.
bool nothing_is_left() {
    auto const& state = ledger::current();
    if (state.is_clear()) return true;
    std::fprintf(stderr,
                 "rank %d: left: %zu communicators, %zu datatypes, %zu persistent requests, %zu requests under way; "
                 "%zu calls on communicators of others, %zu of MPI_Init\n",
                 application::rank(), state.communicators.size(), state.datatypes.size(), state.persistent.size(),
                 state.active_requests, state.foreign_calls, state[ledger::call::init]);
    return false;
}

} // namespace

MPI_Comm application::comm() { return the_comm; }
int application::rank() {
    int rank = 0;
    PMPI_Comm_rank(the_comm, &rank);
    return rank;
}
int application::size() {
    int size = 0;
    PMPI_Comm_size(the_comm, &size);
    return size;
}
bool application::everywhere(bool here) {
    int all = here ? 1 : 0;
    PMPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_LAND, the_comm);
    return all == 1;
}

int main(int argc, char** argv) {
    PMPI_Init(&argc, &argv);
    PMPI_Comm_dup(MPI_COMM_WORLD, &the_comm);
    doctest::Context context{argc, argv};
    context.setOption("minimal", application::rank() != 0);
    context.setOption("no-colors", true);
    auto const failed = context.run() != 0 || !nothing_is_left();
    PMPI_Comm_free(&the_comm);
    PMPI_Finalize();
    return failed ? 1 : 0;
}
