// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <vector>

namespace tools::model {

/// Commands of `sonde-model`. They take the words behind the command's name and return the exit status. They throw
/// exceptions whose messages `guarded` prints.
int fit_command(std::vector<std::string> const& words);
int predict_command(std::vector<std::string> const& words);
/// Runs on all ranks of the job and starts MPI.
int measure_command(std::vector<std::string> const& words);

} // namespace tools::model
