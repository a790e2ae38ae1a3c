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

/// Declares `name` and `functions` of an operation: SONDE_MPI_FUNCTIONS(Allreduce, Iallreduce). Without `auto`, g++ 12
/// loads the functions from memory in each call.
#define SONDE_MPI_FUNCTIONS(function, ifunction)                                                                       \
    static constexpr auto name = "MPI_" #function;                                                                     \
    static constexpr auto functions = sonde::mpi::collective_functions {                                               \
        MPI_##function, MPI_##ifunction, "MPI_" #ifunction, SONDE_MPI_INIT_FUNCTION(function)                          \
    }

namespace sonde::mpi {

/// The MPI library's functions for one collective, and their names. The name of the blocking function is the
/// operation's `name`. `init` is null where the library has no persistent collectives.
template <class Blocking, class Nonblocking, class Init>
struct collective_functions {
    Blocking blocking;
    Nonblocking nonblocking;
    char const* nonblocking_name;
    Init init;
    char const* init_name;
};
template <class Blocking, class Nonblocking, class Init>
collective_functions(Blocking, Nonblocking, char const*, Init, char const*)
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
