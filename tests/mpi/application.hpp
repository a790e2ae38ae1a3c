// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

/// The application that the tests play: it has a communicator of its own, of all ranks.
namespace application {

MPI_Comm comm();
int rank();
int size();

/// True on every rank of the application, or on none: asserts come after communication, and all see the same.
bool everywhere(bool here);

} // namespace application
