// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace tools::model {

/// `sonde-model fit`. Returns the exit status. Throws what tools::guarded prints.
int fit_command(int argc, char** argv);

} // namespace tools::model
