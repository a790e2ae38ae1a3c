// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <cstddef>
#include <cstdio>

namespace sonde {

namespace detail {

/// Bytes of cache `index` of processor 0 as Linux tells them ("32768K"), 0 where it does not.
inline std::size_t cache_bytes(int index) {
    char path[80];
    std::snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", index);
    std::FILE* const file = std::fopen(path, "r");
    if (file == nullptr) return 0;
    unsigned long size = 0;
    char unit = 0;
    auto const fields = std::fscanf(file, "%lu%c", &size, &unit);
    std::fclose(file);
    if (fields < 1) return 0;
    return size * (unit == 'K' ? 1024u : unit == 'M' ? 1024u * 1024u : 1u);
}

inline std::size_t largest_cache() {
    constexpr std::size_t unknown = std::size_t{64} << 20; // larger than most, so that cold stays cold
    std::size_t largest = 0;
    for (int index = 0; index != 8; ++index)
        if (auto const bytes = cache_bytes(index); bytes > largest) largest = bytes;
    return largest == 0 ? unknown : largest;
}

} // namespace detail

/// Bytes of the largest cache of this machine; 64 MiB where the system does not say.
inline std::size_t last_level_cache() {
    static std::size_t const bytes = detail::largest_cache();
    return bytes;
}

} // namespace sonde
