// SPDX-License-Identifier: BSL-1.0
#pragma once

// The collectives of MPI. An operation is a value without buffers (collective/operation.hpp); a call mode makes a
// pattern of an operation and its buffers (collective/call_mode.hpp).

#include <sonde/mpi/collective/blocks.hpp>
#include <sonde/mpi/collective/operation.hpp>
#include <sonde/mpi/collective/operations.hpp>
