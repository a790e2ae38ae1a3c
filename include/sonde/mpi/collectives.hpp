// SPDX-License-Identifier: BSL-1.0
#pragma once

// Every collective of MPI: an operation is a value without buffers (collectives/operation.hpp), a call mode makes a
// pattern of an operation and its buffers (collectives/call_mode.hpp).

#include <sonde/mpi/collectives/all_to_all.hpp>
#include <sonde/mpi/collectives/blocks.hpp>
#include <sonde/mpi/collectives/call_mode.hpp>
#include <sonde/mpi/collectives/neighbor.hpp>
#include <sonde/mpi/collectives/operation.hpp>
#include <sonde/mpi/collectives/reduce.hpp>
#include <sonde/mpi/collectives/rooted.hpp>
