// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace tools::model {

/// `sonde-model measure`, on all ranks of the job: starts MPI. Returns the exit status.
int measure_command(int argc, char** argv);

} // namespace tools::model
