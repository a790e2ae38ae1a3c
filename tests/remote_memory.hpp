// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory.hpp>
#include <sonde/memory/buffer.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

/// Simulated device memory: its addresses are not the host's, so that dereferencing one crashes; only copies access it.
struct remote_memory {
    static constexpr bool host_accessible = false;
    static constexpr bool device_accessible = true;

    void* allocate(std::size_t n) const { return turned(sonde::host_memory{}.allocate(n)); }
    void deallocate(void* p, std::size_t n) const { sonde::host_memory{}.deallocate(turned(p), n); }
    void fill(sonde::opaque_region bytes, std::byte value) const { sonde::host_memory{}.fill(there(bytes), value); }
    void write(sonde::opaque_region to, std::span<std::byte const> from) const {
        std::memcpy(there(to).data(), from.data(), from.size());
    }
    void read(sonde::region into, sonde::opaque_region from) const {
        std::memcpy(into.data(), there(from).data(), into.size());
    }

private:
    static void* turned(void* p) {
        return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(p) ^ (std::uintptr_t{1} << 55));
    }
    static sonde::region there(sonde::opaque_region r) { return {static_cast<std::byte*>(turned(r.data())), r.size()}; }
};
