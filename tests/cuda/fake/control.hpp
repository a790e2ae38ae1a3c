// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>
#include <vector>

/// A CUDA runtime without a device, for tests. It has the functions of libcudart and is linked in its place, or
/// preloaded. Its devices are host memory that the host must not touch: what cudaMalloc gives cannot be dereferenced.
///
/// Environment, read when the program starts and by reset():
///
///     FAKE_CUDA_DEVICES=n            how many devices; 1
///     FAKE_CUDA_DRIVER=none|old|ok   no driver, or one older than the runtime; ok
///     FAKE_CUDA_MEMORY=bytes         what a device has for each process, which knows nothing of the others; 16 GiB
///     FAKE_CUDA_READABLE=1           the host may dereference device memory, for a library that pretends to know it
///     FAKE_CUDA_CONCURRENT=0         host and device may not use managed memory at the same time: it is not prefetched
///     FAKE_CUDA_COPY_NS=n            what a copy lasts, at least: who does not wait for it sees that nothing came
///                                    (a small one from pageable memory may be under way when cudaMemcpy returns)
///     FAKE_CUDA_FAIL=call:n[@rank]   the n-th call of this function since the start or reset(), in each process or in
///                                    that with this rank (OMPI_COMM_WORLD_RANK, PMI_RANK; 0 without), answers
///                                    cudaErrorMemoryAllocation and does nothing else
///     FAKE_CUDA_LOG=file             calls in order, one a line; %p in its name is the process
///
/// A kernel is not run, it lasts: as many nanoseconds as its first argument says, where that is an integer of 64 bits
/// (or nothing is known of it). One that spins for n cycles takes n cycles at 1 GHz, which these devices say they have.
namespace fake {

/// As after the start: streams, events, memory and planned failures are gone, time is real, the environment is read
/// again. From the first reset() on, calls are kept for calls().
void reset();

/// What was called since reset(), in order: the function, then numbers and words. Streams and events are numbered
/// from 1 since reset(); a device's default stream is 0.
///
///     cudaMalloc 4096                                  cudaMemcpyAsync 4096 HostToDevice 1     (stream 1)
///     cudaMemsetAsync 4096 255 1   (bytes value)       cudaMemPrefetchAsync 4096 host 1        (or: device 0)
///     cudaEventRecord 2 1          (event 2, stream 1) cudaStreamWaitEvent 1 2
///     cudaLaunchKernel _Z4spiny 1  (its mangled name)
std::vector<std::string> calls();

/// The next call of this function fails and does nothing else. An error that spoils a device, such as
/// cudaErrorLaunchFailure, is told by every later call, too, until cudaDeviceReset or reset().
void fail(std::string call, cudaError_t code);

/// What things last, in nanoseconds: of virtual time, or of real time, during which the stream sleeps.
struct cost {
    long long call_ns = 0; ///< each call, of the host's (virtual) time
    long long copy_ns = 0; ///< each copy and prefetch, and for each of its bytes:
    long long copy_per_byte_ns = 0;
    long long set_per_byte_ns = 0; ///< cudaMemset
    long long kernel_ns = 0;       ///< each kernel, on top of its first argument
};
void costs(cost const& what);

/// From now to reset(), time passes only where costs and advance() say so. What a stream is given begins when the
/// stream is free and the host has come there, and is carried out at once; who waits for it comes to its end. Who asks
/// again and again whether it is over needs a call_ns, or waits for ever.
void use_virtual_time();

/// The host's time in nanoseconds, virtual or real.
long long now();

/// The host does something else for that long (in virtual time).
void advance(long long ns);

/// Bytes allocated and not freed: on devices, managed and pinned.
std::size_t allocated();

} // namespace fake
