// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <vector>

namespace tools::model {

/// Command `sonde-model measure`, on all ranks of the job; starts MPI. Takes the words after the command's name and
/// returns the exit status.
int measure_command(std::vector<std::string> const& words);

} // namespace tools::model
