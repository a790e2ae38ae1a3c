// SPDX-License-Identifier: BSL-1.0
#pragma once

// All of sonde::mpi, except for files (mpi/io.hpp), links of other modes (mpi/link_modes.hpp), messages in
// partitions (mpi/partitioned.hpp), exchanges (mpi/exchange.hpp), measurements in one call and synchronizers that are
// chosen at run time (mpi/measure.hpp). Requires mpi.h and the standard library.

#include <sonde/mpi/collective.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/datatype_of.hpp>
#include <sonde/mpi/environment.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/hints.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/mpi/memory.hpp>
#include <sonde/mpi/requests.hpp>
#include <sonde/mpi/rma.hpp>
#include <sonde/mpi/topology.hpp>
