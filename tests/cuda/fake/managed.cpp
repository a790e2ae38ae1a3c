// SPDX-License-Identifier: BSL-1.0
#include "allocations.hpp"
#include "call.hpp"
#include "streams.hpp"

#include <optional>
#include <string>

namespace fake {

namespace {

/// The preferred location of managed memory: a device, or (-1) the host.
using home = std::optional<int>;

} // namespace

#if CUDART_VERSION >= 13000

static home home_of(cudaMemLocation const& location) {
    if (location.type == cudaMemLocationTypeHost) return -1;
    return location.type == cudaMemLocationTypeDevice && is_device(location.id) ? home{location.id} : home{};
}
#else

static home home_of(int device) { return device == cudaCpuDeviceId || is_device(device) ? home{device} : home{}; }
#endif

static std::string word(home where) {
    return !where ? "nowhere" : *where < 0 ? "host" : "device " + std::to_string(*where);
}

static bool is_managed(void const* memory, std::size_t n) {
    auto const found = place_of(memory, n);
    return found && found->type == memory_type::managed;
}

static cudaError_t prefetch(void const* memory, std::size_t n, home where, cudaStream_t stream) {
    auto const found = stream_of(stream);
    if (!found) return cudaErrorInvalidResourceHandle;
    if (!where || !current_settings().concurrent) return cudaErrorInvalidDevice;
    if (!is_managed(memory, n)) return cudaErrorInvalidValue;
    auto const& cost = current_settings().costs;
    enqueue(found, {[] {}, cost.copy_ns + cost.copy_per_byte_ns * static_cast<long long>(n)});
    return cudaSuccess;
}

static cudaError_t prefetch_call(void const* memory, std::size_t n, home where, cudaStream_t stream) {
    return call("cudaMemPrefetchAsync", line("cudaMemPrefetchAsync", n, word(where), number_of(stream)),
                [&] { return prefetch(memory, n, where, stream); });
}

static cudaError_t advise_call(void const* memory, std::size_t n, cudaMemoryAdvise advice, home where) {
    return call("cudaMemAdvise", line("cudaMemAdvise", n, static_cast<int>(advice), word(where)),
                [&] { return is_managed(memory, n) ? cudaSuccess : cudaErrorInvalidValue; });
}

} // namespace fake

#if CUDART_VERSION >= 13000
cudaError_t cudaMemPrefetchAsync(void const* memory, std::size_t n, cudaMemLocation where, unsigned,
                                 cudaStream_t stream) {
    return fake::prefetch_call(memory, n, fake::home_of(where), stream);
}
cudaError_t cudaMemAdvise(void const* memory, std::size_t n, cudaMemoryAdvise advice, cudaMemLocation where) {
    return fake::advise_call(memory, n, advice, fake::home_of(where));
}
#else
cudaError_t cudaMemPrefetchAsync(void const* memory, std::size_t n, int device, cudaStream_t stream) {
    return fake::prefetch_call(memory, n, fake::home_of(device), stream);
}
cudaError_t cudaMemAdvise(void const* memory, std::size_t n, cudaMemoryAdvise advice, int device) {
    return fake::advise_call(memory, n, advice, fake::home_of(device));
}
#endif
