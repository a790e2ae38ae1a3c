// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>
#include <string>

namespace tools::replay {

/// "vector(3,1,5,MPI_DOUBLE)": how a datatype is constructed.
std::string construction_of(MPI_Datatype type);

} // namespace tools::replay
