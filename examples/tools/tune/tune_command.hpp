// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/tune/tuning.hpp"

namespace tools::tune {

/// Search for settings. Prints the race, the confirmation and the settings. Returns the exit status.
int tune(tune_options const& options);

/// Measure a file of settings against the default ones. Returns the exit status, 1 if a row is slower.
int check(tune_options const& options);

} // namespace tools::tune
