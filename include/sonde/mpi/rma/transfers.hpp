// SPDX-License-Identifier: BSL-1.0
#pragma once

// MPI 4.0, 12.3: the operations, each in a file. All throw device_refused for memory of the origin that is on a device
// and that the MPI library does not take.

#include <sonde/mpi/rma/accumulate.hpp>
#include <sonde/mpi/rma/compare_and_swap.hpp>
#include <sonde/mpi/rma/fetch_and_op.hpp>
#include <sonde/mpi/rma/get.hpp>
#include <sonde/mpi/rma/get_accumulate.hpp>
#include <sonde/mpi/rma/put.hpp>
#include <sonde/mpi/rma/requested.hpp>
