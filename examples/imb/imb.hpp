// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"

#include <sonde/mpi/collective/operation.hpp>

#include <string>

namespace imb {

// The programs: components that a driver runs, and programs with drivers of their own. imb.cpp has their names.

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

/// IMB-EXAMPLE: a program to copy.
component example();

/// IMB-P2P: patterns of messages. Returns the exit status, as `launch`.
int launch_p2p(std::string const& name, int argc, char** argv);

/// IMB-MT: threads, each with a communicator. Returns the exit status, as `launch`.
int launch_mt(std::string const& name, int argc, char** argv);

/// IMB-HALO: exchanges of faces with the neighbors in a grid. Returns the exit status, as `launch`.
int launch_halo(std::string const& name, int argc, char** argv);

} // namespace imb
