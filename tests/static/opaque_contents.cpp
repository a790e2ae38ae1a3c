// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/mpi/collective.hpp>
#include <sonde/mpi/collective/operation.hpp>
#include <sonde/mpi/memory.hpp>

#include <cstddef>

// Functions that write or check the contents of messages on the host do not compile for opaque regions.
namespace opaque_contents {

using sonde::opaque_region;
using sonde::region;
using operation = sonde::mpi::allgather;

constexpr auto value = [](int, int, std::size_t) { return 0; };
constexpr auto combine = [](int a, int) { return a; };
constexpr auto found = [](std::size_t, int, int) {};

template <class Out, class In>
constexpr bool written =
    requires(operation const& k, Out out, In in) { sonde::write_contributions<int>(k, 0, 0, out, in, value); };
static_assert(written<region, region> && !written<opaque_region, region> && !written<region, opaque_region>);

template <class In>
constexpr bool checked =
    requires(operation const& k, In in) { sonde::for_each_received<int>(k, 0, in, value, combine, found); };
static_assert(checked<region> && !checked<opaque_region>);

template <class Region>
constexpr bool filled = requires(sonde::mpi::alloc_mem m, Region r) { m.fill(r, std::byte{}); };
static_assert(filled<region> && !filled<opaque_region>);

} // namespace opaque_contents
