// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

// [satisfies]
#include <sonde/memory.hpp>

#include <cstddef>
#include <memory_resource>
#include <span>

/// Host memory from a pool of the application.
class my_pool_memory {
public:
    static constexpr bool host_accessible = true;
    static constexpr bool device_accessible = false;

    explicit my_pool_memory(std::pmr::memory_resource& pool) : pool_{&pool} {}
    void* allocate(std::size_t n) { return pool_->allocate(n, alignment); }
    void deallocate(void* p, std::size_t n) { pool_->deallocate(p, n, alignment); }
    void fill(sonde::region bytes, std::byte value) { sonde::host_memory{}.fill(bytes, value); }

private:
    static constexpr std::size_t alignment = 64; // bytes of a cache line
    std::pmr::memory_resource* pool_;            // a pointer, because an allocation keeps a copy of this object
};
static_assert(sonde::Memory<my_pool_memory>);
// [/satisfies]

struct my_device_calls {
    void* allocate(std::size_t bytes);
    void deallocate(void* p, std::size_t bytes);
    void fill(sonde::opaque_region to, std::byte value);
    void write(sonde::opaque_region to, std::span<std::byte const> from); // host to device
    void read(sonde::region to, sonde::opaque_region from);               // device to host
};
struct my_device_memory : my_device_calls {
    static constexpr bool host_accessible = false;
    static constexpr bool device_accessible = true;
};
static_assert(sonde::Memory<my_device_memory>);

#include <concepts>
#include <string_view>
#include <utility>

namespace memory_concept {

static_assert(sonde::Memory<sonde::host_memory> && sonde::Memory<sonde::host_memory const> &&
              sonde::Memory<sonde::borrowed_memory>);

struct no_allocate : my_device_memory { void allocate() = delete; };
struct no_deallocate : my_device_memory { void deallocate() = delete; };
struct no_fill : my_device_memory { void fill() = delete; };
struct no_host_accessible : my_device_calls { static constexpr bool device_accessible = true; };
struct no_device_accessible : my_device_calls { static constexpr bool host_accessible = false; };
struct no_write : my_device_memory { void write() = delete; };                    // the host cannot write to it either
struct no_read : my_device_memory { void read() = delete; };
struct fills_a_region : my_device_memory { void fill(sonde::region, std::byte); }; // the host cannot dereference it
struct typed_pointer : my_device_memory { std::byte* allocate(std::size_t); };    // not void*
struct without_size : my_device_memory { void deallocate(void*); };
struct without_value : my_device_memory { void fill(sonde::opaque_region); };
struct text_constant : my_device_calls {
    static constexpr std::string_view host_accessible = "maybe"; // not a bool
    static constexpr bool device_accessible = true;
};
static_assert(!sonde::Memory<no_allocate> && !sonde::Memory<no_deallocate> && !sonde::Memory<no_fill> &&
              !sonde::Memory<no_host_accessible> && !sonde::Memory<no_device_accessible> && !sonde::Memory<no_write> &&
              !sonde::Memory<no_read> && !sonde::Memory<fills_a_region> && !sonde::Memory<typed_pointer> &&
              !sonde::Memory<without_size> && !sonde::Memory<without_value> && !sonde::Memory<text_constant>);

static_assert(std::same_as<sonde::region_in<my_device_memory>, sonde::opaque_region>);
static_assert(std::convertible_to<sonde::region, sonde::opaque_region>);
static_assert(!std::convertible_to<sonde::opaque_region, sonde::region>);
template <class M, class Region>
constexpr bool fills = requires(M m, Region r) { m.fill(r, std::byte{}); };
static_assert(fills<my_device_memory, sonde::opaque_region> && fills<sonde::host_memory, sonde::region>);
static_assert(!fills<sonde::host_memory, sonde::opaque_region>);

static_assert(!fills<sonde::borrowed_memory, sonde::opaque_region>);

// An allocation of device memory gives opaque regions: its bytes, and the messages of its buffers.
using on_device = sonde::allocation<my_device_memory>;
static_assert(std::same_as<decltype(std::declval<on_device&>().bytes()), sonde::opaque_region> &&
              std::same_as<decltype(std::declval<on_device&>().first(1)), sonde::opaque_slice> &&
              std::same_as<decltype(std::declval<on_device&>().distinct_regions(1, 1)), sonde::opaque_rotating>);

// Cold buffers are cold in the host's caches, so memory that the host may not access has none.
template <class M>
constexpr bool gives_cold = requires(sonde::allocation<M> const& a) { a.cold(sonde::allocation<M>::cold_bytes(1)); };
static_assert(gives_cold<sonde::host_memory> && !gives_cold<my_device_memory>);

static_assert(!sonde::Memory<my_device_memory const>); // its member functions are not const
static_assert(!sonde::Memory<std::byte*>);
static_assert(!sonde::Buffer<sonde::host_allocation>); // an allocation makes buffers, and is none

} // namespace memory_concept
