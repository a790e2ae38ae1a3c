// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "library_faults.hpp"

#include <sonde/mpi/collectives.hpp>
#include <sonde/sonde.hpp>

/// The three forms of a collective.
namespace forms {

/// f(pattern, name) for each form that this library has, and has right.
template <sonde::mpi::Collective K, sonde::Buffer Out, sonde::Buffer In, class F>
void each(K const& kind, Out out, In in, F f, library::situation s = {}) {
    auto const& called = K::called;
    if (library::works(called.blocking_name, s)) f(sonde::mpi::blocking{kind, out, in}, called.blocking_name);
    if (library::works(called.nonblocking_name, s)) f(sonde::mpi::nonblocking{kind, out, in}, called.nonblocking_name);
#if SONDE_MPI_PERSISTENT_COLLECTIVES
    if (library::works(called.init_name, s)) f(sonde::mpi::persistent{kind, out, in}, called.init_name);
#endif
}

} // namespace forms
