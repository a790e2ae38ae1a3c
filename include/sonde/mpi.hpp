// SPDX-License-Identifier: BSL-1.0
#pragma once

// All of sonde::mpi, except for files (mpi/io.hpp), links of other modes, exchanges (mpi/link_modes.hpp, exchange.hpp,
// halo_faces.hpp, partitioned_link.hpp), measurements in one call (mpi/measure.hpp) and what is chosen at run time
// (mpi/synchronization.hpp). Requires mpi.h and the standard library.

#include <sonde/mpi/collective.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/datatype_of.hpp>
#include <sonde/mpi/environment.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/mpi/memory.hpp>
#include <sonde/mpi/requests.hpp>
#include <sonde/mpi/rma.hpp>
#include <sonde/mpi/topology.hpp>
