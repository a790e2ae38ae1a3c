// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <vector>

namespace tools::model {

/// `sonde-model fit`: its exit status. Throws what `guarded` prints.
int fit_command(std::vector<std::string> const& words);

} // namespace tools::model
