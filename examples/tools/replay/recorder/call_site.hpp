// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace tools::replay {

/// The most functions of a call site.
constexpr std::size_t most_frames = 16;

/// The return addresses of the functions that are under way, from `innermost` on: as many as `into` holds, or fewer at
/// the end of the stack. `innermost` alone, if the stack cannot be read.
std::span<void const* const> frames_from(void const* innermost, std::span<void const*> into);

/// "solver+0x2b59 from solver+0x3011": the file and the offset of each call, the innermost one first.
std::string site_text(std::span<void const* const> return_addresses);

} // namespace tools::replay
