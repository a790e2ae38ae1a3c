// SPDX-License-Identifier: BSL-1.0
// The non-template functions of the MPI backend. See ../compiled.cpp.
#ifndef SONDE_COMPILED
#error                                                                                                                 \
    "Define SONDE_COMPILED for all files of the program; without it the library is header-only, and needs no such file"
#endif
// What the backend includes of the core is defined in the core's file.
#include <sonde/group/watchdog.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/sonde.hpp>

#include <sonde/detail/define.inc>

#include <sonde/mpi.hpp>
#include <sonde/mpi/background_load.hpp>
#include <sonde/mpi/congestors.hpp>
