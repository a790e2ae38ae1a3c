// SPDX-License-Identifier: BSL-1.0
#pragma once

// All of sonde::shmem. Requires shmem.h and the standard library.

#include <sonde/shmem/atomics.hpp>
#include <sonde/shmem/collectives.hpp>
#include <sonde/shmem/group.hpp>
#include <sonde/shmem/memory.hpp>
#include <sonde/shmem/reductions.hpp>
#include <sonde/shmem/session.hpp>
#include <sonde/shmem/transfers.hpp>
