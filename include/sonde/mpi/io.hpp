// SPDX-License-Identifier: BSL-1.0
#pragma once

// Files: how they are opened and seen, an access as a value, and the three forms in which it is a pattern.

#include <sonde/mpi/io/access.hpp>
#include <sonde/mpi/io/blocking.hpp>
#include <sonde/mpi/io/calls.hpp>
#include <sonde/mpi/io/file.hpp>
#include <sonde/mpi/io/nonblocking.hpp>
#include <sonde/mpi/io/series.hpp>
#include <sonde/mpi/io/split_collective.hpp>
#include <sonde/mpi/io/view.hpp>
