// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "options.hpp"

#include <cstddef>

namespace osu {

// `--cache`: what caches of the host hold of messages when an iteration begins.

/// Throws refusal for what does not go with it.
void require_fitting_cache(options const& asked, program const& about);

/// In how many regions messages of `span` bytes lie, of which `together` are under way together.
std::size_t regions_for(options const& asked, std::size_t span, std::size_t together);

/// The bytes of these regions, for any messages of at most `largest` bytes.
std::size_t bytes_for(options const& asked, std::size_t largest, std::size_t together);

} // namespace osu
