// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <doctest/doctest.h>

#include <sonde/mpi/collectives.hpp>
#include <sonde/sonde.hpp>

#include <set>
#include <string>

/// The three forms of a collective.
namespace forms {

/// Does this library's persistent form do what the blocking one does? Those of MPICH that are named here (4.0 to 4.2 at
/// least, issue 7078 of pmodels/mpich) copy this rank's own data when the request is made instead of when it is
/// started, or fail in MPI_Wait; a C program without Sonde sees the same.
inline bool works([[maybe_unused]] std::string const& init_name) {
#ifdef MPICH_VERSION
    static std::set<std::string> const broken{"MPI_Allgather_init", "MPI_Gather_init", "MPI_Scatter_init"};
    static std::set<std::string> said;
    if (broken.count(init_name) == 0) return true;
    if (said.insert(init_name).second)
        MESSAGE("not tested: " << init_name << ", which copies too early or fails in MPICH " MPICH_VERSION);
    return false;
#else
    return true;
#endif
}

/// f(pattern, name) for each form that this library has.
template <sonde::mpi::Collective K, sonde::Buffer Out, sonde::Buffer In, class F>
void each(K const& kind, Out out, In in, F f) {
    f(sonde::mpi::blocking{kind, out, in}, K::called.blocking_name);
    f(sonde::mpi::nonblocking{kind, out, in}, K::called.nonblocking_name);
#if SONDE_MPI_PERSISTENT_COLLECTIVES
    if (works(K::called.init_name)) f(sonde::mpi::persistent{kind, out, in}, K::called.init_name);
#endif
}

} // namespace forms
