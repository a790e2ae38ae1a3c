// SPDX-License-Identifier: BSL-1.0
#pragma once

// Every collective of MPI. An operation (allreduce, gather, ...) is a value without buffers, see
// collectives/operation.hpp; a call mode (blocking, nonblocking, persistent) makes a pattern of an operation and its
// buffers, see collectives/call_mode.hpp:
//
//     sonde::mpi::blocking{sonde::mpi::allreduce{world, {MPI_DOUBLE, n}, MPI_SUM}, out, in}

#include <sonde/mpi/collectives/all_to_all.hpp>
#include <sonde/mpi/collectives/blocks.hpp>
#include <sonde/mpi/collectives/call_mode.hpp>
#include <sonde/mpi/collectives/neighbor.hpp>
#include <sonde/mpi/collectives/operation.hpp>
#include <sonde/mpi/collectives/reduce.hpp>
#include <sonde/mpi/collectives/rooted.hpp>
