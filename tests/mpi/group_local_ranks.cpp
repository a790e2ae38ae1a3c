// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "ledger.hpp"

#include <sonde/mpi.hpp>
#include <sonde/mpi/group.hpp>

using namespace sonde;

// All ranks of a test are on one host.

namespace {

bool fails = false;

} // namespace

/// The program's own definition precedes the library's.
extern "C" int MPI_Comm_size(MPI_Comm comm, int* size) { return fails ? MPI_ERR_OTHER : PMPI_Comm_size(comm, size); }

namespace {

/// The local ranks of the subgroup with this color, in order of their keys.
mpi::local_ranks of_part(int color, int key) {
    MPI_Comm part = MPI_COMM_NULL;
    PMPI_Comm_split(application::comm(), color, key, &part);
    auto const found = mpi::local_ranks::of(mpi::group{part});
    PMPI_Comm_free(&part);
    return found;
}

} // namespace

TEST_CASE("every rank knows its number on its host, and how many ranks the host has") {
    auto const before = ledger::current().communicators.size();
    auto const found = mpi::local_ranks::of(mpi::group{application::comm()});
    CHECK(found.rank == application::rank());
    CHECK(found.size == application::size());
    CHECK(ledger::current().communicators.size() == before);
}

TEST_CASE("a failure of the library after the split by hosts leaks no communicator") {
    mpi::group const all{application::comm()};
    auto const before = ledger::current().communicators.size();
    fails = true;
    CHECK_THROWS_AS(mpi::local_ranks::of(all), mpi::error);
    fails = false;
    CHECK(ledger::current().communicators.size() == before);
}

TEST_CASE("ranks of a host are numbered in the order of the group, members alone") {
    auto const rank = application::rank(), size = application::size();
    auto const backward = of_part(0, -rank);
    CHECK(backward.rank == size - 1 - rank);
    auto const odd_or_even = of_part(rank % 2, rank);
    CHECK(odd_or_even.rank == rank / 2);
    CHECK(odd_or_even.size == (size + 1 - rank % 2) / 2);
}
