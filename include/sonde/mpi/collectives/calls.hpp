// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <mpi.h>

// Persistent collectives are MPI-4's; Open MPI 4.x has the same calls as an extension.
#if MPI_VERSION >= 4
#define SONDE_MPI_PERSISTENT_COLLECTIVES 1
#define SONDE_MPI_INIT_CALL(name) MPI_##name##_init, "MPI_" #name "_init"
#elif defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#if defined(OMPI_HAVE_MPI_EXT_PCOLLREQ) && OMPI_HAVE_MPI_EXT_PCOLLREQ
#define SONDE_MPI_PERSISTENT_COLLECTIVES 1
#define SONDE_MPI_INIT_CALL(name) MPIX_##name##_init, "MPIX_" #name "_init"
#endif
#endif
#ifndef SONDE_MPI_PERSISTENT_COLLECTIVES
#define SONDE_MPI_PERSISTENT_COLLECTIVES 0
#define SONDE_MPI_INIT_CALL(name) nullptr, ""
#endif

/// `name` without, `iname` with the I of the non-blocking form: the calls of one collective.
#define SONDE_MPI_CALLS(name, iname)                                                                                   \
    sonde::mpi::calls { MPI_##name, "MPI_" #name, MPI_##iname, "MPI_" #iname, SONDE_MPI_INIT_CALL(name) }

namespace sonde::mpi {

/// The functions of one collective in the MPI library, and their names; `init` is null where there is none.
template <class Blocking, class Nonblocking, class Init>
struct calls {
    Blocking blocking;
    char const* blocking_name;
    Nonblocking nonblocking;
    char const* nonblocking_name;
    Init init;
    char const* init_name;
};
template <class Blocking, class Nonblocking, class Init>
calls(Blocking, char const*, Nonblocking, char const*, Init, char const*) -> calls<Blocking, Nonblocking, Init>;

} // namespace sonde::mpi
