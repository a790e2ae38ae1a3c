// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <vector>

namespace tools::model {

/// Commands of `sonde-model`: they take the words after the command's name and return the exit status. They throw
/// exceptions whose messages `guarded` prints.
int fit_command(std::vector<std::string> const& words);

} // namespace tools::model
