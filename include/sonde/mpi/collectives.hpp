// SPDX-License-Identifier: BSL-1.0
#pragma once

// Every collective as a value, and the three forms in which it is a pattern: see collectives/kind.hpp and forms.hpp.

#include <sonde/mpi/collectives/alltoall.hpp>
#include <sonde/mpi/collectives/barrier.hpp>
#include <sonde/mpi/collectives/contents.hpp>
#include <sonde/mpi/collectives/forms.hpp>
#include <sonde/mpi/collectives/gather.hpp>
#include <sonde/mpi/collectives/neighbor.hpp>
#include <sonde/mpi/collectives/reduce.hpp>
#include <sonde/mpi/collectives/scatter.hpp>
