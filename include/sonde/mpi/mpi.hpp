// SPDX-License-Identifier: BSL-1.0
#pragma once

// Everything of this folder; needs mpi.h and nothing else.

#include <sonde/mpi/async_link.hpp>
#include <sonde/mpi/block.hpp>
#include <sonde/mpi/clock.hpp>
#include <sonde/mpi/collectives.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/device_support.hpp>
#include <sonde/mpi/endpoint.hpp>
#include <sonde/mpi/environment.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/fan_link.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/guarded.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/mpi/local_ranks.hpp>
#include <sonde/mpi/message.hpp>
#include <sonde/mpi/persistent_link.hpp>
#include <sonde/mpi/requests.hpp>
#include <sonde/mpi/rma.hpp>
#include <sonde/mpi/sync.hpp>
#include <sonde/mpi/topology.hpp>
