// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>

#include <mpi.h>

namespace sonde::mpi {

/// This rank's number among the ranks of a group that are on its host, in the group's order, and how many these are.
struct local_ranks {
    int rank;
    int size;

    /// Asks the MPI library which ranks share memory (MPI_Comm_split_type), not the variables of some launcher.
    /// Collective over the group.
    static local_ranks of(group const& ranks) {
        MPI_Comm host = MPI_COMM_NULL;
        check(MPI_Comm_split_type(ranks.comm(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host), "MPI_Comm_split_type");
        local_ranks found{};
        auto const ranked = MPI_Comm_rank(host, &found.rank), sized = MPI_Comm_size(host, &found.size);
        check(MPI_Comm_free(&host), "MPI_Comm_free"); // first, since a check may throw
        check(ranked, "MPI_Comm_rank");
        check(sized, "MPI_Comm_size");
        return found;
    }
};

} // namespace sonde::mpi
