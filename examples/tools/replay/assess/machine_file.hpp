// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/assess/lower_bounds.hpp"

#include <string>

namespace tools::replay {

/// The parameters of a fit of Hockney's, the max-rate or the LogGP model, in a file of `sonde-model fit --json`. Throws
/// std::runtime_error, in one line, for another file or model, several fits, and if no range of sizes is determined.
machine machine_of_file(std::string const& path);

} // namespace tools::replay
