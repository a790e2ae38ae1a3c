// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <unistd.h>

namespace suite {

/// Bytes of main memory of this host.
inline double host_memory() {
    return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

} // namespace suite
