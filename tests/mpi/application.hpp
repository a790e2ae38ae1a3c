// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

/// The application of the tests, with a communicator of its own, of all ranks.
namespace application {

MPI_Comm comm();
int rank();
int size();

/// True on every rank of the application, or on none, so that assertions after communication agree on all ranks.
bool everywhere(bool here);

} // namespace application
