// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/memory_kinds.hpp"

#include <sonde/memory.hpp>

#include <cstddef>
#include <cstring>
#include <span>

namespace suite {

/// Functions of one kind of memory, type-erased.
struct memory_functions {
    void* (*allocate)(std::size_t);
    void (*deallocate)(void*, std::size_t);
    void (*fill)(sonde::opaque_region, std::byte);
    void (*write)(sonde::opaque_region, std::span<std::byte const>);
    void (*read)(sonde::region, sonde::opaque_region);
    bool host_accessible;
};

/// Memory of a kind that is chosen at run time: a sonde::Memory, so that a program is compiled once for all kinds.
/// `allocate` throws what the kind throws: std::bad_alloc for the host's, refusal for the others.
class memory {
public:
    static constexpr bool host_accessible = false; // unknown when the program is compiled
    static constexpr bool device_accessible = false;

    /// Of the device that was chosen, unless the kind needs none: see suite/devices.hpp.
    explicit memory(memory_kind kind);
    /// `functions` are in static storage.
    explicit memory(memory_functions const& functions) : functions_{&functions} {}
    explicit memory(memory_functions const&&) = delete;

    void* allocate(std::size_t n) const { return functions_->allocate(n); }
    void deallocate(void* p, std::size_t n) const { functions_->deallocate(p, n); }
    void fill(sonde::opaque_region bytes, std::byte value) const { functions_->fill(bytes, value); }
    void write(sonde::opaque_region to, std::span<std::byte const> from) const { functions_->write(to, from); }
    void read(sonde::region into, sonde::opaque_region from) const { functions_->read(into, from); }
    /// The host may dereference the bytes.
    bool is_host_accessible() const { return functions_->host_accessible; }

private:
    memory_functions const* functions_;
};

/// The functions of a stateless memory. The host copies the bytes of memory that it can access.
template <sonde::Memory M>
constexpr memory_functions functions_for{[](std::size_t n) { return M{}.allocate(n); },
                                         [](void* p, std::size_t n) { M{}.deallocate(p, n); },
                                         [](sonde::opaque_region bytes, std::byte value) {
                                             if constexpr (M::host_accessible)
                                                 M{}.fill({bytes.data(), bytes.size()}, value);
                                             else M{}.fill(bytes, value);
                                         },
                                         [](sonde::opaque_region to, std::span<std::byte const> from) {
                                             if constexpr (M::host_accessible)
                                                 std::memcpy(to.data(), from.data(), from.size());
                                             else M{}.write(to, from);
                                         },
                                         [](sonde::region into, sonde::opaque_region from) {
                                             if constexpr (M::host_accessible)
                                                 std::memcpy(into.data(), from.data(), into.size());
                                             else M{}.read(into, from);
                                         },
                                         M::host_accessible};

} // namespace suite
