// SPDX-License-Identifier: BSL-1.0
#pragma once

// One-sided communication: windows, epochs and transfers, which sonde::rma, rma_ping_pong and rma_exchange combine.

#include <sonde/mpi/hints.hpp>
#include <sonde/mpi/rma/epochs.hpp>
#include <sonde/mpi/rma/targets.hpp>
#include <sonde/mpi/rma/transfers.hpp>
#include <sonde/mpi/rma/window.hpp>
