// SPDX-License-Identifier: BSL-1.0
// Linked with the real runtime, and run with the fake one preloaded: all functions of the fake must be its own.
#include "kernels.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <string_view>

struct function {
    char const* name;
    void* address;
};

#define OVERLOAD(name, ...)                                                                                            \
    function { #name, reinterpret_cast<void*>(static_cast<cudaError_t (*)(__VA_ARGS__)>(&name)) }
#define FUNCTION(name)                                                                                                 \
    function { #name, reinterpret_cast<void*>(&name) }

static function const functions[] = {
#ifdef __HIP_PLATFORM_AMD__
    FUNCTION(cudaDeviceGetUuid),
#else
    FUNCTION(__cudaGetKernel),
    FUNCTION(__cudaInitModule),
    FUNCTION(__cudaLaunchKernel),
    FUNCTION(__cudaRegisterFatBinaryEnd),
    FUNCTION(cudaLaunchHostFunc),
    FUNCTION(cudaMallocHost),
#endif
    FUNCTION(__cudaPopCallConfiguration),
    FUNCTION(__cudaPushCallConfiguration),
    FUNCTION(__cudaRegisterFatBinary),
    FUNCTION(__cudaRegisterFunction),
    FUNCTION(__cudaRegisterVar),
    FUNCTION(__cudaUnregisterFatBinary),
    FUNCTION(cudaDeviceGetAttribute),
    FUNCTION(cudaDeviceReset),
    FUNCTION(cudaDeviceSynchronize),
    FUNCTION(cudaDriverGetVersion),
    FUNCTION(cudaEventCreate),
    FUNCTION(cudaEventCreateWithFlags),
    FUNCTION(cudaEventDestroy),
    FUNCTION(cudaEventElapsedTime),
    FUNCTION(cudaEventQuery),
    FUNCTION(cudaEventRecord),
    FUNCTION(cudaEventSynchronize),
    FUNCTION(cudaFree),
    FUNCTION(cudaFreeHost),
    FUNCTION(cudaGetDevice),
    FUNCTION(cudaGetDeviceCount),
    FUNCTION(cudaGetDeviceProperties),
    FUNCTION(cudaGetErrorName),
    FUNCTION(cudaGetErrorString),
    FUNCTION(cudaGetLastError),
    OVERLOAD(cudaHostAlloc, void**, std::size_t, unsigned),
    FUNCTION(cudaLaunchKernel),
    OVERLOAD(cudaMalloc, void**, std::size_t),
    OVERLOAD(cudaMallocManaged, void**, std::size_t, unsigned),
    FUNCTION(cudaMemAdvise),
    FUNCTION(cudaMemGetInfo),
    FUNCTION(cudaMemPrefetchAsync),
    FUNCTION(cudaMemcpy),
    FUNCTION(cudaMemcpyAsync),
    FUNCTION(cudaMemset),
    FUNCTION(cudaMemsetAsync),
    FUNCTION(cudaPeekAtLastError),
    FUNCTION(cudaPointerGetAttributes),
    FUNCTION(cudaRuntimeGetVersion),
    FUNCTION(cudaSetDevice),
    FUNCTION(cudaStreamCreate),
    FUNCTION(cudaStreamCreateWithFlags),
    FUNCTION(cudaStreamDestroy),
    FUNCTION(cudaStreamQuery),
    FUNCTION(cudaStreamSynchronize),
    FUNCTION(cudaStreamWaitEvent),
};

static bool is_fake(function const& one) {
    Dl_info where = {};
    auto const found = dladdr(one.address, &where) != 0;
    auto const fake = found && std::string_view{where.dli_fname}.find("fake_cudart") != std::string_view::npos;
    if (!fake) std::printf("%s is that of %s\n", one.name, found ? where.dli_fname : "nobody");
    return fake;
}

int main() {
    bool all = true;
    for (auto const& one : functions) all = is_fake(one) && all;
    return all ? 0 : 1;
}
