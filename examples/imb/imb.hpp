// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/component.hpp"

#include <sonde/mpi/collective/operation.hpp>

namespace imb {

// The programs. imb.cpp has their names.

/// IMB-MPI1: point-to-point communication and collectives.
component mpi1();

/// IMB-NBC: nonblocking collectives with work between start and completion, then without it.
component nbc();

#if SONDE_MPI_PERSISTENT_COLLECTIVES
/// IMB-MPI4: persistent collectives with work between start and completion, then without it.
component mpi4();
#endif

/// IMB-EXT: one-sided communication between fences.
component ext();

/// IMB-RMA: one-sided communication with passive targets.
component rma();

/// IMB-IO: files.
component io_component();

/// IMB-P2P: patterns of messages.
component p2p_component();

/// IMB-MT: threads, each with a communicator.
component mt_component();

/// IMB-HALO: exchanges of faces with the neighbors in a grid.
component halo_component();

/// IMB-EXAMPLE: a program to copy.
component example();

} // namespace imb
