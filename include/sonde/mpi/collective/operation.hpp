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
#elif defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#if defined(OMPI_HAVE_MPI_EXT_PCOLLREQ) && OMPI_HAVE_MPI_EXT_PCOLLREQ
#define SONDE_MPI_PERSISTENT_COLLECTIVES 1
#endif
#endif
#ifndef SONDE_MPI_PERSISTENT_COLLECTIVES
#define SONDE_MPI_PERSISTENT_COLLECTIVES 0
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

} // namespace detail

} // namespace sonde::mpi
