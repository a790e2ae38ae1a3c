// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/osu_options.hpp"
#include "osu/driver/osu_program.hpp"
#include "suite/options.hpp"

#include <string>
#include <vector>

namespace osu {

/// Words of the command line: "dynamic", "lock_all", "dissemination", "object", "heap".
std::string name(creation how);
std::string name(synchronization s);
std::string name(start how);
std::string name(payload kind);
std::string name(symmetric_data where);

/// MPI functions, as the lines above the table show them: "MPI_Win_lock/unlock".
std::string mpi_name(creation how);
std::string mpi_name(synchronization s);

/// The options of a program in the order of its help, bound to the members of `into`.
std::vector<option_row> option_table(options& into, program const& about);

} // namespace osu
