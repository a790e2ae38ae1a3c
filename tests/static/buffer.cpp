// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/buffer.hpp>
#include <sonde/memory/host.hpp>

#include <concepts>
#include <cstddef>
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
