// SPDX-License-Identifier: BSL-1.0
#pragma once

// The collectives of MPI. An operation is a value without buffers (collective/operations.hpp); a call mode makes a
// pattern of an operation and its buffers (collective/operation.hpp).

#include <sonde/mpi/collective/blocks.hpp>
#include <sonde/mpi/collective/operation.hpp>
#include <sonde/mpi/collective/operations.hpp>
