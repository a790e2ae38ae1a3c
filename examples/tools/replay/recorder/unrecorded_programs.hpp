// SPDX-License-Identifier: BSL-1.0
#pragma once

// Programs whose calls the recorder does not see, or cannot understand.

#include <mpi.h>

#include <string>

namespace tools::replay {

/// "MPICH Version: 4.0.2": the begin of a library's text about its version.
std::string first_sentence(std::string text);

/// Ends the process with a line if the caller of MPI_Init uses another MPI library than that for which the recorder is
/// built: their handles differ. Before MPI_Init.
void refuse_other_library(void const* return_address);

/// Says so if a launcher, as that of another MPI library, started several processes and each has a world of its own.
void say_if_alone(MPI_Comm world);

/// The program makes an MPI session.
void note_session();

/// At the end of a process that did not call the recorder's MPI_Init: says so if the process used MPI.
void say_if_not_recorded();

} // namespace tools::replay
