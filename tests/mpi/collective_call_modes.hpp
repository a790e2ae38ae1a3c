// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "library_faults.hpp"

#include <sonde/mpi/collective.hpp>
#include <sonde/sonde.hpp>

/// The three call modes of a collective.
namespace call_modes {

/// f(pattern, name) for each call mode that this library supports correctly.
template <sonde::CollectiveOperation Op, sonde::Buffer Out, sonde::Buffer In, class F>
void each(Op const& operation, Out out, In in, F f, library::situation s = {}) {
    auto const& functions = Op::functions;
    if (library::works(Op::name, s)) f(sonde::mpi::blocking{operation, out, in}, Op::name);
    if (library::works(functions.nonblocking_name, s))
        f(sonde::mpi::nonblocking{operation, out, in}, functions.nonblocking_name);
#if SONDE_MPI_PERSISTENT_COLLECTIVES
    if (library::works(functions.init_name, s)) f(sonde::mpi::persistent{operation, out, in}, functions.init_name);
#endif
}

} // namespace call_modes
