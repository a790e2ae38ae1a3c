// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <vector>

namespace tools::model {

/// What each command of `sonde-model` does with its words: its exit status. They throw what `guarded` prints.
int fit_command(std::vector<std::string> const& words);
int predict_command(std::vector<std::string> const& words);
/// On all ranks of the job: the status of this one.
int measure(std::vector<std::string> const& words);

} // namespace tools::model
