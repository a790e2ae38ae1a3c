// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory.hpp>

#include <cstddef>
#include <cstring>
#include <new>

namespace sonde {

/// Ordinary memory, aligned to pages.
struct host_memory {
    static constexpr bool host_accessible = true;
    static constexpr bool device_accessible = false;
    static constexpr std::align_val_t page{65536}; // a multiple of every base page size in use

    void* allocate(std::size_t n) const { return ::operator new(n, page); }
    void deallocate(void* p, std::size_t) const { ::operator delete(p, page); }
    void fill(region bytes, std::byte value) const {
        if (!bytes.empty()) std::memset(bytes.data(), std::to_integer<int>(value), bytes.size());
    }
};

using host_allocation = allocation<host_memory>;

} // namespace sonde
