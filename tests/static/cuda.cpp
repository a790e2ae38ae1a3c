// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/cuda.hpp>
#include <sonde/memory.hpp>
#include <sonde/pattern.hpp>
#include <sonde/sync.hpp>
#include <sonde/sonde.hpp>

#include <concepts>
#include <type_traits>

namespace cuda_concepts {

using sonde::cuda::device_memory;
using sonde::cuda::managed_memory;
using sonde::cuda::pinned_memory;

static_assert(sonde::Memory<device_memory> && sonde::Memory<device_memory const>);
static_assert(sonde::Memory<pinned_memory> && sonde::Memory<pinned_memory const>);
static_assert(sonde::Memory<managed_memory> && sonde::Memory<managed_memory const>);

// Access by host and device.
static_assert(!device_memory::host_accessible && device_memory::device_accessible);
static_assert(pinned_memory::host_accessible && pinned_memory::device_accessible);
static_assert(managed_memory::host_accessible && managed_memory::device_accessible);

// Device memory that the host must not dereference gives opaque regions.
static_assert(std::same_as<sonde::region_in<device_memory>, sonde::opaque_region> &&
              std::same_as<sonde::region_in<pinned_memory>, sonde::region> &&
              std::same_as<sonde::region_in<managed_memory>, sonde::region>);
static_assert(!std::convertible_to<sonde::region_in<device_memory>, sonde::region>);

static_assert(sonde::Clock<sonde::cuda::event_clock> && sonde::Clock<sonde::cuda::event_clock const>);
static_assert(!std::default_initializable<sonde::cuda::event_clock>); // needs a stream
static_assert(std::same_as<decltype(sonde::clock_properties_of(std::declval<sonde::cuda::event_clock&>())), sonde::clock_properties>);

// Movable owners.
static_assert(std::move_constructible<sonde::cuda::stream> && !std::copy_constructible<sonde::cuda::stream>);
static_assert(std::move_constructible<sonde::cuda::event> && !std::copy_constructible<sonde::cuda::event>);

// The handle of a temporary would be destroyed at once.
static_assert(std::convertible_to<sonde::cuda::stream const&, cudaStream_t>);
static_assert(!std::convertible_to<sonde::cuda::stream, cudaStream_t>);
static_assert(std::convertible_to<sonde::cuda::event const&, cudaEvent_t>);
static_assert(!std::convertible_to<sonde::cuda::event, cudaEvent_t>);

struct completing {
    void operator()();
    void complete();
};
template <class P>
constexpr bool completes = requires(P p) { p.complete(); };
static_assert(sonde::Pattern<sonde::cuda::without_completion<completing>>);
static_assert(completes<completing> && !completes<sonde::cuda::without_completion<completing>>);
static_assert(completes<sonde::cuda::iteration_events<completing>>);

static_assert(std::invocable<sonde::cuda::prefetcher const&>);
static_assert(sonde::Synchronizer<sonde::prepared_sync<sonde::barrier_each, sonde::cuda::prefetcher const>, sonde::single_rank>);

} // namespace cuda_concepts
