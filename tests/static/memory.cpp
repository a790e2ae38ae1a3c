// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/memory.hpp>
#include <sonde/memory/borrowed.hpp>
#include <sonde/memory/first_touch.hpp>
#include <sonde/memory/host.hpp>
#include <sonde/memory/huge_pages.hpp>
#include <sonde/sim/world.hpp>

#include <concepts>
#include <cstddef>
#include <string_view>
#include <utility>

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

// [opaque]
static_assert(std::same_as<sonde::region_in<device>, sonde::opaque_region>);
static_assert(std::convertible_to<sonde::region, sonde::opaque_region>);
static_assert(!std::convertible_to<sonde::opaque_region, sonde::region>);
template <class M, class Region>
constexpr bool fills = requires(M m, Region r) { m.fill(r, std::byte{}); };
static_assert(fills<device, sonde::opaque_region> && fills<sonde::host_memory, sonde::region>);
static_assert(!fills<sonde::host_memory, sonde::opaque_region>);
template <class Link, class Region>
constexpr bool sends = requires(Link l, Region r) { l.send(r); };
static_assert(sends<sonde::sim::link, sonde::region> && !sends<sonde::sim::link, sonde::opaque_region>);
// [/opaque]

template <class Link, class Region>
constexpr bool receives = requires(Link l, Region r) { l.recv(r); };
static_assert(receives<sonde::sim::link, sonde::region> && !receives<sonde::sim::link, sonde::opaque_region>);
static_assert(!fills<sonde::borrowed, sonde::opaque_region> && !fills<sonde::huge_pages, sonde::opaque_region>);

// Memories around memories; what the host must not dereference it cannot touch either.
static_assert(sonde::Memory<sonde::huge_pages> && sonde::Memory<sonde::first_touch<>>);
static_assert(sonde::Memory<sonde::first_touch<sonde::first_touch<sonde::huge_pages>>>);
template <class M>
constexpr bool touched_first = requires { typename sonde::first_touch<M>; };
static_assert(touched_first<sonde::host_memory> && !touched_first<device>);

// What an allocation of device memory gives is opaque: its bytes, and the messages of its buffers.
using on_device = sonde::allocation<device>;
static_assert(std::same_as<decltype(std::declval<on_device&>().bytes()), sonde::opaque_region>);
static_assert(std::same_as<decltype(std::declval<on_device&>().first(1)), sonde::opaque_slice>);
static_assert(std::same_as<decltype(std::declval<on_device&>().apart(1, 1)), sonde::opaque_rotating>);

// Cold is said of the host's caches, so of no memory that the host may not access.
template <class M>
constexpr bool gives_cold = requires(sonde::allocation<M> const& a) { a.cold(sonde::allocation<M>::cold_bytes(1)); };
static_assert(gives_cold<sonde::host_memory> && !gives_cold<device>);

static_assert(!sonde::Memory<device const>); // its functions are for a memory that may change
static_assert(!sonde::Memory<std::byte*>);

} // namespace memory_concept
