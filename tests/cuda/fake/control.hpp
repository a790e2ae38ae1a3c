// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>
#include <vector>

/// A CUDA runtime without a device, for tests. It has the functions of libcudart and is linked in its place, or
/// preloaded. Its devices are host memory that the host must not touch: memory of cudaMalloc cannot be dereferenced.
///
/// Environment, read when the program starts and by reset():
///
///     FAKE_CUDA_DEVICES=n            number of devices; 1
///     FAKE_CUDA_DRIVER=none|old|ok   no driver, or one older than the runtime; ok
///     FAKE_CUDA_MEMORY=bytes         memory of a device for each process, independent of other processes; 16 GiB
///     FAKE_CUDA_READABLE=1           the host may dereference device memory, for a library with pretended device
///                                    support
///     FAKE_CUDA_CONCURRENT=0         no concurrent access to managed memory: it is not prefetched
///     FAKE_CUDA_COPY_NS=n            minimum duration of a copy, whose data arrive at its end
///                                    (a small one from pageable memory may be in progress when cudaMemcpy returns)
///     FAKE_CUDA_FAIL=call:n[@rank]   the n-th call of this function since the start or reset(), in each process or in
///                                    that with this rank (OMPI_COMM_WORLD_RANK, PMI_RANK; 0 without), returns
///                                    cudaErrorMemoryAllocation and has no effect
///     FAKE_CUDA_LOG=file             calls in order, one a line; %p in its name is the process
///
/// A kernel is not executed but has a duration: the nanoseconds of its first argument if that is a 64-bit integer (or
/// of unknown type). A kernel that spins for n cycles takes n cycles at 1 GHz, the clock rate of these devices.
namespace fake {

/// Restores the state of the start: no streams, events, memory and planned failures, real time, the environment read
/// again. From the first reset() on, calls are kept for calls().
void reset();

/// Calls since reset(), in order: the function, then numbers and words. Streams and events are numbered
/// from 1 since reset(); a device's default stream is 0.
///
///     cudaMalloc 4096                                  cudaMemcpyAsync 4096 HostToDevice 1     (stream 1)
///     cudaMemsetAsync 4096 255 1   (bytes value)       cudaMemPrefetchAsync 4096 host 1        (or: device 0)
///     cudaEventRecord 2 1          (event 2, stream 1) cudaStreamWaitEvent 1 2
///     cudaLaunchKernel _Z4spiny 1  (its mangled name)
std::vector<std::string> calls();

/// Makes the next call of this function fail without effect. A sticky error, such as cudaErrorLaunchFailure, is
/// returned by every later call, too, until cudaDeviceReset or reset().
void fail(std::string call, cudaError_t code);

/// Version of the driver that is older than the runtime, 11.0 or HIP 4.0.
#ifdef __HIP_PLATFORM_AMD__
inline constexpr int old_driver = 40'000'000;
#else
inline constexpr int old_driver = 11'000;
#endif

/// Durations in nanoseconds, of virtual time, or of real time, during which the stream sleeps.
struct cost {
    long long call_ns = 0; ///< each call, of the host's (virtual) time
    long long copy_ns = 0; ///< each copy and prefetch, and for each of its bytes:
    long long copy_per_byte_ns = 0;
    long long set_per_byte_ns = 0; ///< cudaMemset
    long long kernel_ns = 0;       ///< each kernel, added to its first argument
};
void costs(cost const& what);

/// Starts virtual time, until reset(): time advances by costs and advance() alone. An operation begins when the stream
/// is free and the host has reached it, and is executed at once; a wait for it advances the host to its end. A loop
/// that polls for completion needs a call_ns, or never ends.
void use_virtual_time();

/// The host's time in nanoseconds, virtual or real.
long long now();

/// Advances the host's virtual time by other work.
void advance(long long ns);

/// Bytes allocated and not freed: device, managed and pinned memory.
std::size_t allocated();

} // namespace fake
