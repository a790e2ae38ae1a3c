// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "options.hpp"

#include <sonde/stop/any_rule.hpp>

#include <cstddef>

namespace osu {

/// When a row ends: after the suite's count of samples; or as `--until`, `--budget` and `-i` beside them say, whichever
/// comes first. Senders that share the iterations have a part of the count each, rounded up.
sonde::any_rule rule_of(options const& asked, std::size_t usual, std::size_t senders = 1);

} // namespace osu
