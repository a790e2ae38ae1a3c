// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/component.hpp"

#include <sonde/mpi/collective/operation.hpp>

namespace imb {

/// IMB-NBC: nonblocking collectives with work between start and completion, then without it.
component nbc();

#if SONDE_MPI_PERSISTENT_COLLECTIVES
/// IMB-MPI4: persistent collectives with work between start and completion, then without it.
component mpi4();
#endif

} // namespace imb
