// SPDX-License-Identifier: BSL-1.0
#include "control.hpp"
#include "kernels.hpp"

#include <doctest/doctest.h>

#include <cstddef>

/// Launches a kernel registered by this name, as nvcc's code does.
static void launch_registered(char const* name, void* argument) {
    static char host_function = 0;
    __cudaRegisterFunction(nullptr, &host_function, nullptr, name, -1, nullptr, nullptr, nullptr, nullptr, nullptr);
    CHECK(__cudaPushCallConfiguration(1, 1, 0, nullptr) == push_result{});
    dim3 grid, block;
    std::size_t shared = 1;
    cudaStream_t stream = nullptr;
    CHECK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream) == cudaSuccess);
#ifdef __HIP_PLATFORM_AMD__
    CHECK(cudaLaunchKernel(&host_function, grid, block, &argument, shared, stream) == cudaSuccess);
#else
    cudaKernel_t kernel = nullptr;
    CHECK(__cudaGetKernel(&kernel, &host_function) == cudaSuccess);
    CHECK(__cudaLaunchKernel(kernel, grid, block, &argument, shared, stream) == cudaSuccess);
#endif
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("a kernel lasts as long as its first argument says if that is a 64-bit integer") {
    fake::reset();
    fake::use_virtual_time();
    unsigned long long ns = 400;
    long long expected = 0;
    for (auto const* const name : {"_Z4spiny", "_ZN3gpu4spinEmPi", "_ZL4spinx", "_ZN12_GLOBAL__N_14spinEy", "spin"}) {
        launch_registered(name, &ns);
        CHECK(fake::now() == (expected += 400));
    }
    for (auto const* const name : {"_Z4spinv", "_Z4spinPy", "_ZN3gpu4copyEPvS0_"}) launch_registered(name, &ns);
    CHECK(fake::now() == expected);
    CHECK(fake::calls().front() == "cudaLaunchKernel _Z4spiny 0");
}
