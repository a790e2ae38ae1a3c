// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <vector>

namespace tools::replay {

/// `sonde-replay show`: the words behind it. Returns the exit status. Throws what tools::guarded prints.
int show(std::vector<std::string> const& words);

} // namespace tools::replay
