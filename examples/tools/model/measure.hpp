// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <vector>

namespace tools::model {

/// `sonde-model measure`, on all ranks of the job: the exit status of this one. Throws what `guarded` prints.
int measure(std::vector<std::string> const& words);

} // namespace tools::model
