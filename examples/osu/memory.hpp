// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "placement.hpp"

#include <sonde/memory.hpp>

#include <cstddef>
#include <span>

namespace osu {

/// What a kind of memory does, its type gone.
struct memory_calls {
    void* (*allocate)(std::size_t);
    void (*deallocate)(void*, std::size_t);
    void (*fill)(sonde::opaque_region, std::byte);
    void (*write)(sonde::opaque_region, std::span<std::byte const>);
    void (*read)(sonde::region, sonde::opaque_region);
    bool on_device;
};

/// Throws refusal for a kind that is not built in.
memory_calls const& calls_of(placement where);

/// Memory of the kind that is asked for: a sonde::Memory, so that drivers are compiled once for all kinds.
class memory {
public:
    static constexpr bool host_accessible = false; // for all that is known when it is compiled
    static constexpr bool device_accessible = false;

    explicit memory(placement where) : calls_{&calls_of(where)} {}

    void* allocate(std::size_t n) const { return calls_->allocate(n); }
    void deallocate(void* p, std::size_t n) const { calls_->deallocate(p, n); }
    void fill(sonde::opaque_region bytes, std::byte value) const { calls_->fill(bytes, value); }
    void write(sonde::opaque_region to, std::span<std::byte const> from) const { calls_->write(to, from); }
    void read(sonde::region into, sonde::opaque_region from) const { calls_->read(into, from); }
    bool on_device() const { return calls_->on_device; }

private:
    memory_calls const* calls_;
};

/// Those of a stateless memory. Bytes that the host may dereference it copies itself.
template <sonde::Memory M>
constexpr memory_calls calls_for{[](std::size_t n) { return M{}.allocate(n); },
                                 [](void* p, std::size_t n) { M{}.deallocate(p, n); },
                                 [](sonde::opaque_region bytes, std::byte value) {
                                     if constexpr (M::host_accessible) M{}.fill({bytes.data(), bytes.size()}, value);
                                     else M{}.fill(bytes, value);
                                 },
                                 [](sonde::opaque_region to, std::span<std::byte const> from) {
                                     if constexpr (M::host_accessible) std::memcpy(to.data(), from.data(), from.size());
                                     else M{}.write(to, from);
                                 },
                                 [](sonde::region into, sonde::opaque_region from) {
                                     if constexpr (M::host_accessible)
                                         std::memcpy(into.data(), from.data(), into.size());
                                     else M{}.read(into, from);
                                 },
                                 M::device_accessible && !M::host_accessible};

} // namespace osu
