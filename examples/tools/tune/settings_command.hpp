// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace tools::tune {

/// `sonde-tune settings [FILE]`, on ranks of MPI: rank 0 writes the control variables of the library to the file, or
/// prints them. Returns the exit status.
int settings_command(int argc, char** argv);

} // namespace tools::tune
