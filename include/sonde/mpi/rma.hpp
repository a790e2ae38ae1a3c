// SPDX-License-Identifier: BSL-1.0
#pragma once

// One-sided communication: windows, epochs and transfers, which sonde::rma and its kin put together.

#include <sonde/mpi/rma/epochs.hpp>
#include <sonde/mpi/rma/hints.hpp>
#include <sonde/mpi/rma/owned_window.hpp>
#include <sonde/mpi/rma/reach.hpp>
#include <sonde/mpi/rma/targets.hpp>
#include <sonde/mpi/rma/transfers.hpp>
#include <sonde/mpi/rma/window.hpp>
#include <sonde/mpi/rma/windows.hpp>
