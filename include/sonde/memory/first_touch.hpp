// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory.hpp>
#include <sonde/memory/host.hpp>

#include <cstddef>
#include <utility>

namespace sonde {

/// Another memory, each page of which the thread that allocates touches first: systems put a page on the NUMA node of
/// the thread that touches it first. Pages that the other memory had in use before stay where they are; `huge_pages`
/// gives new ones every time.
template <Memory M = host_memory>
    requires(M::host_accessible)
class first_touch {
public:
    static constexpr bool host_accessible = true;
    static constexpr bool device_accessible = M::device_accessible;

    first_touch() = default;
    explicit first_touch(M memory) : memory_{std::move(memory)} {}

    void* allocate(std::size_t n) {
        void* const p = memory_.allocate(n);
        touch({static_cast<std::byte*>(p), n});
        return p;
    }
    void deallocate(void* p, std::size_t n) { memory_.deallocate(p, n); }
    void fill(region bytes, std::byte value) { memory_.fill(bytes, value); }
    M const& memory() const& { return memory_; }
    void memory() const&& = delete;

private:
    /// Volatile, or a compiler may find that nobody reads what was stored.
    static void touch(region bytes) {
        constexpr std::size_t page = 4096; // the shortest in use
        for (std::size_t at = 0; at < bytes.size(); at += page)
            *const_cast<std::byte volatile*>(&bytes[at]) = std::byte{0};
        *const_cast<std::byte volatile*>(&bytes.back()) = std::byte{0};
    }

    M memory_;
};

} // namespace sonde
