// SPDX-License-Identifier: BSL-1.0
#pragma once

// MPI 4.0, 12.5: the epochs, each in a file. An epoch refers to its window, which must outlive it.

#include <sonde/mpi/rma/fence.hpp>
#include <sonde/mpi/rma/flush.hpp>
#include <sonde/mpi/rma/lock.hpp>
#include <sonde/mpi/rma/pscw.hpp>
