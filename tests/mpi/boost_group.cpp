// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <boost/mpi/communicator.hpp>

using namespace sonde;

TEST_CASE("a group constructed from a Boost.MPI communicator works on a duplicate of it") {
    boost::mpi::communicator const theirs{application::comm(), boost::mpi::comm_attach};
    mpi::group ranks{theirs};
    int same = MPI_UNEQUAL;
    PMPI_Comm_compare(ranks.comm(), theirs, &same);
    auto const r = run(ranks, plan<>{}.warmup(1).until(samples{3}).synchronized(barrier_each{}), [] {});
    CHECK(same == MPI_CONGRUENT);
    CHECK(ranks.rank() == theirs.rank());
    CHECK(r.ranks == theirs.size());
}
