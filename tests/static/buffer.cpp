// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

// [satisfies]
#include <sonde/memory/buffer.hpp>

#include <cstddef>

struct my_buffer {
    sonde::region next();
    std::size_t size() const;
};
static_assert(sonde::Buffer<my_buffer>);
// [/satisfies]

#include <concepts>
#include <span>
#include <string>

// [flushed]
#include <sonde/measure/run.hpp>
#include <sonde/sync.hpp>

sonde::record measure_flushed(sonde::single_rank& group, sonde::Pattern auto exchange) {
    sonde::eviction evict; // must outlive the plan
    auto const plan = sonde::plan<>{}.synchronized(sonde::flushed_sync{sonde::barrier_each{}, &evict});
    return sonde::run(group, plan, exchange, {"exchange", {{"bytes", 8}}}); // adds the parameter "cache": "flushed"
}
// [/flushed]

namespace buffer_concept {

inline auto measure_nothing(sonde::single_rank& group) { return measure_flushed(group, [] {}); }

static_assert(sonde::Buffer<sonde::slice> && sonde::Buffer<sonde::slice const> && sonde::Buffer<sonde::rotating>);
static_assert(std::same_as<sonde::region_of<sonde::slice>, sonde::region> &&
              std::same_as<sonde::region_of<sonde::rotating>, sonde::region>);

template <class Region>
constexpr bool dereferences = requires(Region r) { r[0] = *r.data() = std::byte{}; };
template <class Region>
constexpr bool iterates = requires(Region r) { r.begin() != r.end(); };
static_assert(sonde::Buffer<sonde::opaque_slice> && sonde::Buffer<sonde::opaque_rotating>);
static_assert(iterates<sonde::region_of<sonde::slice>> && !iterates<sonde::region_of<sonde::opaque_slice>>);
static_assert(dereferences<sonde::region> && !dereferences<sonde::opaque_region>);
static_assert(std::constructible_from<sonde::opaque_slice, sonde::region>);
static_assert(!std::constructible_from<sonde::slice, sonde::opaque_region>);

// A function that takes host memory does not take an opaque region. An opaque region keeps address, size and location.
static_assert(!std::invocable<void (*)(sonde::region), sonde::opaque_region>);
static_assert(!std::constructible_from<std::span<std::byte const>, sonde::opaque_region>);
static_assert(!std::convertible_to<sonde::opaque_slice, sonde::slice>);
static_assert([] {
    std::byte bytes[8]{};
    sonde::opaque_region const r{bytes};
    sonde::opaque_region const d{bytes, 8, true, sonde::device_runtime::rocm};
    auto const part = d.subspan(2, 3);
    constexpr auto cuda = sonde::device_runtime::cuda, rocm = sonde::device_runtime::rocm;
    if (sonde::opaque_region{bytes, 8, true}.runtime() != cuda || part.runtime() != rocm) return false;
    return r.data() == bytes && r.size() == 8 && !r.on_device() && !r.empty() && part.data() == bytes + 2 &&
           part.size() == 3 && part.on_device() && d.first(4).on_device() && d.subspan(8).empty();
}());

// Buffer and link agree on the type of the messages.
struct objects : my_buffer { std::string& next(); };
static_assert(sonde::Buffer<objects>);
static_assert(std::same_as<sonde::region_of<objects>, std::string&>);

struct no_next : my_buffer { void next() = delete; };
struct no_size : my_buffer { void size() = delete; };
struct by_index : my_buffer { sonde::region next(std::size_t i); }; // the pattern would have to count
struct size_not_const : my_buffer { std::size_t size(); };          // the size must not change
struct size_as_text : my_buffer { std::string size() const; };      // not a number
static_assert(!sonde::Buffer<no_next> && !sonde::Buffer<no_size> && !sonde::Buffer<by_index> &&
              !sonde::Buffer<size_not_const> && !sonde::Buffer<size_as_text>);

static_assert(!sonde::Buffer<sonde::rotating const>); // `next` advances to the next region
static_assert(!sonde::Buffer<sonde::region>);

} // namespace buffer_concept
