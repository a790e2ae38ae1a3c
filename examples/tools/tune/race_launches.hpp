// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/tune/tuning.hpp"

#include <vector>

namespace tools::tune {

/// Race of all candidates against the default, with progress on stderr. Ends after the planned rounds, when no
/// candidate is left, or when the budget leaves only the time of a confirmation.
race_result race(series& launches, std::vector<candidate> candidates, tune_options const& options);

/// Fresh launches of the default and of the settings, which the environment gives, in turns.
std::vector<confirmed_row> confirmation(series& launches, environment_words const& settings,
                                        tune_options const& options);

} // namespace tools::tune
