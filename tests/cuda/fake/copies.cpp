// SPDX-License-Identifier: BSL-1.0
#include "allocations.hpp"
#include "call.hpp"
#include "streams.hpp"

#include <cstring>
#include <functional>
#include <utility>
#include <vector>

namespace fake {

static bool for_device(place const& p) { return p.type == memory_type::device || p.type == memory_type::managed; }
static bool for_host(place const& p) { return p.type != memory_type::device; }
static bool pageable(place const& p) { return p.type == memory_type::pageable; }

static bool fits(cudaMemcpyKind kind, place const& to, place const& from) {
    switch (kind) {
    case cudaMemcpyHostToHost:
        return for_host(to) && for_host(from);
    case cudaMemcpyHostToDevice:
        return for_device(to) && for_host(from);
    case cudaMemcpyDeviceToHost:
        return for_host(to) && for_device(from);
    case cudaMemcpyDeviceToDevice:
        return for_device(to) && for_device(from);
    case cudaMemcpyDefault:
        return true;
    default:
        return false;
    }
}

static char const* word(cudaMemcpyKind kind) {
    switch (kind) {
    case cudaMemcpyHostToHost:
        return "HostToHost";
    case cudaMemcpyHostToDevice:
        return "HostToDevice";
    case cudaMemcpyDeviceToHost:
        return "DeviceToHost";
    case cudaMemcpyDeviceToDevice:
        return "DeviceToDevice";
    case cudaMemcpyDefault:
        return "Default";
    default:
        return "?";
    }
}

static mark_ptr start_copy(std::shared_ptr<stream> const& where, std::size_t n, std::function<void()> work) {
    auto const& cost = current_settings().costs;
    return enqueue(where, {std::move(work), cost.copy_ns + cost.copy_per_byte_ns * static_cast<long long>(n)});
}

static std::function<void()> moves(std::byte* to, std::byte const* from, std::size_t n) {
    return [=] { std::memmove(to, from, n); };
}

// Copies the bytes at the time of the call.
static std::function<void()> moves_taken(std::byte* to, std::byte const* from, std::size_t n) {
    return [=, taken = std::vector<std::byte>(from, from + n)] { std::memcpy(to, taken.data(), n); };
}

// True for a copy that has read its source when it returns, and may complete on the device later.
static bool takes(place const& to, place const& from, std::size_t n) {
    return pageable(from) && to.type == memory_type::device && n <= 65536;
}

// The host does not wait for copies between devices; for asynchronous ones only with pageable memory.
static bool waits(place const& to, place const& from, bool asynchronous) {
    return asynchronous ? pageable(to) || pageable(from) : !(for_device(to) && for_device(from));
}

static cudaError_t copy(void* to, void const* from, std::size_t n, cudaMemcpyKind kind, cudaStream_t stream,
                        bool asynchronous) {
    auto const where = stream_of(stream);
    if (!where) return cudaErrorInvalidResourceHandle;
    if (n == 0) return cudaSuccess;
    auto const target = place_of(to, n), source = place_of(from, n);
    if (!target || !source || !fits(kind, *target, *source)) return cudaErrorInvalidValue;
    auto const taken = takes(*target, *source, n);
    auto const end = start_copy(where, n, (taken ? moves_taken : moves)(target->bytes, source->bytes, n));
    if (!taken && waits(*target, *source, asynchronous)) end->wait();
    return cudaSuccess;
}

static cudaError_t set(void* memory, int value, std::size_t n, cudaStream_t stream, bool asynchronous) {
    auto const where = stream_of(stream);
    if (!where) return cudaErrorInvalidResourceHandle;
    if (n == 0) return cudaSuccess;
    auto const target = place_of(memory, n);
    if (!target || pageable(*target)) return cudaErrorInvalidValue;
    auto const ns = current_settings().costs.set_per_byte_ns * static_cast<long long>(n);
    auto const end = enqueue(where, {[at = target->bytes, value, n] { std::memset(at, value, n); }, ns});
    if (!asynchronous && target->type == memory_type::pinned) end->wait();
    return cudaSuccess;
}

} // namespace fake

using namespace fake;

cudaError_t cudaMemcpy(void* to, void const* from, std::size_t n, cudaMemcpyKind kind) {
    return call("cudaMemcpy", line("cudaMemcpy", n, word(kind)),
                [&] { return copy(to, from, n, kind, nullptr, false); });
}

cudaError_t cudaMemcpyAsync(void* to, void const* from, std::size_t n, cudaMemcpyKind kind, cudaStream_t stream) {
    return call("cudaMemcpyAsync", line("cudaMemcpyAsync", n, word(kind), number_of(stream)),
                [&] { return copy(to, from, n, kind, stream, true); });
}

cudaError_t cudaMemset(void* memory, int value, std::size_t n) {
    return call("cudaMemset", line("cudaMemset", n, value), [&] { return set(memory, value, n, nullptr, false); });
}

cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t n, cudaStream_t stream) {
    return call("cudaMemsetAsync", line("cudaMemsetAsync", n, value, number_of(stream)),
                [&] { return set(memory, value, n, stream, true); });
}
