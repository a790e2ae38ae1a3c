// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/collective.hpp>
#include <sonde/collective/operations.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>

#include <mpi.h>

#include <concepts>

// Persistent collectives are part of MPI-4; Open MPI 4.x has the same functions as an extension.
#if MPI_VERSION >= 4
#define SONDE_MPI_PERSISTENT_COLLECTIVES 1
#define SONDE_MPI_INIT_FUNCTION(name) MPI_##name##_init, "MPI_" #name "_init"
#elif defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#if defined(OMPI_HAVE_MPI_EXT_PCOLLREQ) && OMPI_HAVE_MPI_EXT_PCOLLREQ
#define SONDE_MPI_PERSISTENT_COLLECTIVES 1
#define SONDE_MPI_INIT_FUNCTION(name) MPIX_##name##_init, "MPIX_" #name "_init"
#endif
#endif
#ifndef SONDE_MPI_PERSISTENT_COLLECTIVES
#define SONDE_MPI_PERSISTENT_COLLECTIVES 0
#define SONDE_MPI_INIT_FUNCTION(name) nullptr, ""
#endif

namespace sonde::inline v0_1::mpi {

/// The MPI library's functions for one collective, and their names. `init` is null where the library has no persistent
/// collectives.
template <class Blocking, class Nonblocking, class Init>
struct collective_functions {
    char const* name;             // of the blocking function
    Blocking blocking;            // MPI_Bcast
    Nonblocking nonblocking;      // MPI_Ibcast
    char const* nonblocking_name; // "MPI_Ibcast"
    Init init;
    char const* init_name; // "MPI_Bcast_init"
};
template <class Blocking, class Nonblocking, class Init>
collective_functions(char const*, Blocking, Nonblocking, char const*, Init, char const*)
    -> collective_functions<Blocking, Nonblocking, Init>;

/// Functions of every collective of MPI. An operation has a copy as its member `functions`.
namespace mpi_functions {

#define SONDE_MPI_FUNCTIONS(variable, function, nonblocking)                                                           \
    inline constexpr collective_functions variable {                                                                   \
        "MPI_" #function, MPI_##function, MPI_##nonblocking, "MPI_" #nonblocking, SONDE_MPI_INIT_FUNCTION(function)    \
    }
SONDE_MPI_FUNCTIONS(bcast, Bcast, Ibcast);
SONDE_MPI_FUNCTIONS(gather, Gather, Igather);
SONDE_MPI_FUNCTIONS(gatherv, Gatherv, Igatherv);
SONDE_MPI_FUNCTIONS(scatter, Scatter, Iscatter);
SONDE_MPI_FUNCTIONS(scatterv, Scatterv, Iscatterv);
SONDE_MPI_FUNCTIONS(barrier, Barrier, Ibarrier);
SONDE_MPI_FUNCTIONS(allgather, Allgather, Iallgather);
SONDE_MPI_FUNCTIONS(allgatherv, Allgatherv, Iallgatherv);
SONDE_MPI_FUNCTIONS(alltoall, Alltoall, Ialltoall);
SONDE_MPI_FUNCTIONS(alltoallv, Alltoallv, Ialltoallv);
SONDE_MPI_FUNCTIONS(alltoallw, Alltoallw, Ialltoallw);
SONDE_MPI_FUNCTIONS(allreduce, Allreduce, Iallreduce);
SONDE_MPI_FUNCTIONS(reduce, Reduce, Ireduce);
SONDE_MPI_FUNCTIONS(reduce_scatter_block, Reduce_scatter_block, Ireduce_scatter_block);
SONDE_MPI_FUNCTIONS(reduce_scatter, Reduce_scatter, Ireduce_scatter);
SONDE_MPI_FUNCTIONS(scan, Scan, Iscan);
SONDE_MPI_FUNCTIONS(exscan, Exscan, Iexscan);
SONDE_MPI_FUNCTIONS(neighbor_allgather, Neighbor_allgather, Ineighbor_allgather);
SONDE_MPI_FUNCTIONS(neighbor_allgatherv, Neighbor_allgatherv, Ineighbor_allgatherv);
SONDE_MPI_FUNCTIONS(neighbor_alltoall, Neighbor_alltoall, Ineighbor_alltoall);
SONDE_MPI_FUNCTIONS(neighbor_alltoallv, Neighbor_alltoallv, Ineighbor_alltoallv);
SONDE_MPI_FUNCTIONS(neighbor_alltoallw, Neighbor_alltoallw, Ineighbor_alltoallw);
#undef SONDE_MPI_FUNCTIONS
#undef SONDE_MPI_INIT_FUNCTION

} // namespace mpi_functions

namespace detail {

/// A collective operation of MPI. It has `Op::functions`, and `op.invoke(arguments, f, more...)` returns the int that
/// f(the arguments of the MPI function, more...) returns.
template <class Op>
concept MpiOperation = requires {
    Op::functions.blocking;
    requires InvocableOperation<Op, decltype(Op::functions.blocking)>;
};

/// This rank in its group, on the group's communicator.
struct member : group_member {
    MPI_Comm comm;

    explicit member(group const& ranks) : group_member{ranks.rank(), ranks.size(), "sonde::mpi"}, comm{ranks.comm()} {}
};

inline void const* sendbuf_or_in_place(call_arguments const& a, bool is_in_place) {
    return is_in_place ? MPI_IN_PLACE : a.sendbuf;
}

/// Returns a callable f. f(first...) calls function(first..., root if there is one, communicator, more...).
template <class Root>
auto with_last_arguments(auto function, call_arguments const& a, MPI_Comm comm, auto... more) {
    return [=](auto... first) {
        if constexpr (std::same_as<Root, no_root>) return function(first..., comm, more...);
        else return function(first..., a.root, comm, more...);
    };
}

} // namespace detail

} // namespace sonde::mpi
