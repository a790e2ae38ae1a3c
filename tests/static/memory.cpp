// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/memory.hpp>
#include <sonde/memory/borrowed.hpp>
#include <sonde/memory/host.hpp>

#include <cstddef>
#include <string_view>

namespace memory_concept {

// [satisfies]
struct untold {
    void* allocate(std::size_t bytes);
    void deallocate(void* at, std::size_t bytes);
    void fill(sonde::opaque_region where, std::byte value);
    void write(sonde::opaque_region to, std::span<std::byte const> from);
    void read(sonde::region into, sonde::opaque_region from);
};
struct device : untold {
    static constexpr bool host_accessible = false;
    static constexpr bool device_accessible = true;
};
static_assert(sonde::Memory<device>);
// [/satisfies]

static_assert(sonde::Memory<sonde::host_memory>);
static_assert(sonde::Memory<sonde::host_memory const>);
static_assert(sonde::Memory<sonde::borrowed>);

// [misses]
struct no_allocate : device { void allocate() = delete; };
struct no_deallocate : device { void deallocate() = delete; };
struct no_fill : device { void fill() = delete; };
struct no_host_accessible : untold { static constexpr bool device_accessible = true; };
struct no_device_accessible : untold { static constexpr bool host_accessible = false; };
struct no_write : device { void write() = delete; };               // the host cannot either
struct no_read : device { void read() = delete; };
struct dereferencing : device { void fill(sonde::region, std::byte); }; // bytes that the host must not touch
struct typed : device { std::byte* allocate(std::size_t); };       // a pointer to something
struct unsized : device { void deallocate(void*); };               // without the size
struct zeroing : device { void fill(sonde::opaque_region); };      // without the byte
struct vague : untold {
    static constexpr std::string_view host_accessible = "maybe";
    static constexpr bool device_accessible = true;
};
static_assert(!sonde::Memory<no_allocate>);
static_assert(!sonde::Memory<no_deallocate>);
static_assert(!sonde::Memory<no_fill>);
static_assert(!sonde::Memory<no_host_accessible>);
static_assert(!sonde::Memory<no_device_accessible>);
static_assert(!sonde::Memory<no_write>);
static_assert(!sonde::Memory<no_read>);
static_assert(!sonde::Memory<dereferencing>);
static_assert(!sonde::Memory<typed>);
static_assert(!sonde::Memory<unsized>);
static_assert(!sonde::Memory<zeroing>);
static_assert(!sonde::Memory<vague>);
// [/misses]

static_assert(!sonde::Memory<device const>); // its functions are for a memory that may change
static_assert(!sonde::Memory<std::byte*>);

} // namespace memory_concept
