// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

#include <array>

namespace tools::replay {

/// An operation of MPI and its name in a trace.
struct predefined_operation {
    MPI_Op op;
    char const* name;
};

/// The operations that have a name. Those of Open MPI are no constants.
inline std::array<predefined_operation, 14> predefined_operations() {
    return {{{MPI_SUM, "MPI_SUM"},
             {MPI_MAX, "MPI_MAX"},
             {MPI_MIN, "MPI_MIN"},
             {MPI_PROD, "MPI_PROD"},
             {MPI_LAND, "MPI_LAND"},
             {MPI_LOR, "MPI_LOR"},
             {MPI_LXOR, "MPI_LXOR"},
             {MPI_BAND, "MPI_BAND"},
             {MPI_BOR, "MPI_BOR"},
             {MPI_BXOR, "MPI_BXOR"},
             {MPI_MAXLOC, "MPI_MAXLOC"},
             {MPI_MINLOC, "MPI_MINLOC"},
             {MPI_REPLACE, "MPI_REPLACE"},
             {MPI_NO_OP, "MPI_NO_OP"}}};
}

} // namespace tools::replay
