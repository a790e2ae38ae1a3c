// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/buffer.hpp>
#include <sonde/memory/host.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <string>

namespace buffer_concept {

// [satisfies]
struct messages {
    sonde::region next();
    std::size_t size() const;
};
static_assert(sonde::Buffer<messages>);
// [/satisfies]

static_assert(sonde::Buffer<sonde::slice>);
static_assert(sonde::Buffer<sonde::slice const>);
static_assert(sonde::Buffer<sonde::rotating>);
static_assert(std::same_as<sonde::region_of<sonde::slice>, sonde::region>);
static_assert(std::same_as<sonde::region_of<sonde::rotating>, sonde::region>);

// [opaque]
template <class Region>
constexpr bool dereferenced = requires(Region r) { r[0] = *r.data() = std::byte{}; };
template <class Region>
constexpr bool walked = requires(Region r) { r.begin() != r.end(); };
static_assert(sonde::Buffer<sonde::opaque_slice> && sonde::Buffer<sonde::opaque_rotating>);
static_assert(walked<sonde::region_of<sonde::slice>> && !walked<sonde::region_of<sonde::opaque_slice>>);
static_assert(dereferenced<sonde::region> && !dereferenced<sonde::opaque_region>);
static_assert(std::constructible_from<sonde::opaque_slice, sonde::region>);
static_assert(!std::constructible_from<sonde::slice, sonde::opaque_region>);
// [/opaque]

// A library that knows nothing of devices may be given what it is told is the host's, and nothing of a buffer is lost.
static_assert(!std::invocable<void (*)(sonde::region), sonde::opaque_region>);
static_assert(!std::constructible_from<std::span<std::byte const>, sonde::opaque_region>);
static_assert(!std::convertible_to<sonde::opaque_slice, sonde::slice>);
static_assert([] {
    std::byte bytes[8]{};
    sonde::opaque_region const r{bytes};
    sonde::opaque_region const d{bytes, 8, true};
    auto const part = d.subspan(2, 3);
    return r.data() == bytes && r.size() == 8 && !r.on_device() && !r.empty() && part.data() == bytes + 2 &&
           part.size() == 3 && part.on_device() && d.first(4).on_device() && d.subspan(8).empty();
}());

// What `next` gives is between a buffer and its link.
struct objects : messages { std::string& next(); };
static_assert(sonde::Buffer<objects>);
static_assert(std::same_as<sonde::region_of<objects>, std::string&>);

// [misses]
struct no_next : messages { void next() = delete; };
struct no_size : messages { void size() = delete; };
struct by_index : messages { sonde::region next(std::size_t i); };   // keeps no place of its own
struct changing_size : messages { std::size_t size(); };             // asking may change it
struct worded_size : messages { std::string size() const; };
static_assert(!sonde::Buffer<no_next>);
static_assert(!sonde::Buffer<no_size>);
static_assert(!sonde::Buffer<by_index>);
static_assert(!sonde::Buffer<changing_size>);
static_assert(!sonde::Buffer<worded_size>);
// [/misses]

static_assert(!sonde::Buffer<sonde::rotating const>); // it goes on to the next region
static_assert(!sonde::Buffer<sonde::region>);
static_assert(!sonde::Buffer<sonde::host_allocation>); // the source of buffers is not one

} // namespace buffer_concept
