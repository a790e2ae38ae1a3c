// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"

namespace imb {

/// IMB-MPI1: point-to-point communication and collectives.
component mpi1();

/// IMB-NBC: non-blocking collectives with work between start and completion, then without it.
component nbc();

/// IMB-MPI4: persistent collectives with work between start and completion, then without it.
component mpi4();

/// IMB-EXT: one-sided communication between fences.
component ext();

/// IMB-RMA: one-sided communication with passive targets.
component rma();

/// IMB-IO: files.
component io_component();

} // namespace imb
