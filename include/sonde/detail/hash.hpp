// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <cstdint>
#include <string_view>

namespace sonde::inline v0_1::detail {

/// 64-bit FNV-1a of bytes, or of these after others whose hash is `before`. Equal on all hosts.
constexpr std::uint64_t fnv_1a(std::string_view bytes, std::uint64_t before = 0xcbf29ce484222325u) {
    for (char const c : bytes) before = (before ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return before;
}

} // namespace sonde::detail
