// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "options.hpp"

#include <sonde/stop/any_rule.hpp>

#include <cstddef>

namespace osu {

/// Of a row that `--until` would else not end, where `--budget` was not given.
inline constexpr sonde::seconds usual_budget{0.1};

/// When a row ends: after the suite's count of samples; or as `--until`, `--budget` and `-i` beside them say, whichever
/// comes first. Senders that share the iterations have a part of the count each, rounded up.
sonde::any_rule rule_of(options const& asked, std::size_t usual, std::size_t senders = 1);

} // namespace osu
