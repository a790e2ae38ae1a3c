// SPDX-License-Identifier: BSL-1.0
#include "control.hpp"
#include "made.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

using lines = std::vector<std::string>;

TEST_CASE("the host can dereference managed and pinned memory, and device memory only on request") {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    auto const readable = [&](void const* memory) { return write(ends[1], memory, 1) == 1 || errno != EFAULT; };
    fake::reset();
    void* managed = nullptr;
    CHECK(cudaMallocManaged(&managed, 8, cudaMemAttachGlobal) == cudaSuccess);
    CHECK_FALSE(readable(device_bytes(8)));
    CHECK(readable(managed));
    CHECK(readable(pinned_bytes(8, 0)));
    setenv("FAKE_CUDA_READABLE", "1", 1);
    fake::reset();
    CHECK(readable(device_bytes(8)));
    unsetenv("FAKE_CUDA_READABLE");
    close(ends[0]);
    close(ends[1]);
}

TEST_CASE("calls are logged in order, with their arguments") {
    fake::reset();
    auto* const memory = device_bytes(64);
    auto const stream = new_stream();
    auto const event = new_event();
    cudaMemsetAsync(memory, 255, 64, stream);
    cudaEventRecord(event, stream);
    cudaStreamWaitEvent(nullptr, event, 0);
    cudaFree(memory);
    CHECK(fake::calls() == lines{"cudaMalloc 64", "cudaStreamCreateWithFlags 1", "cudaEventCreate",
                                 "cudaMemsetAsync 64 255 1", "cudaEventRecord 1 1", "cudaStreamWaitEvent 0 1",
                                 "cudaFree"});
    CHECK(fake::allocated() == 0);
    fake::reset();
    CHECK(fake::calls().empty());
}

TEST_CASE("a pointer of the wrong memory kind, or a range beyond the end of its memory, is refused") {
    fake::reset();
    auto* const device = device_bytes(16);
    auto* const pinned = pinned_bytes(16, 0);
    char pageable[16] = {};
    CHECK(cudaMemcpy(pinned, pageable, 16, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(pageable, device, 16, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(device, pageable, 16, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(device, pinned, 17, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK(cudaMemset(pageable, 0, 16) == cudaErrorInvalidValue);
    CHECK(cudaFree(pageable) == cudaErrorInvalidValue);
    CHECK(cudaFree(pinned) == cudaErrorInvalidValue);
    CHECK(cudaFreeHost(device) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(device, pageable, 16, cudaMemcpyDefault) == cudaSuccess);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("device memory can be exhausted, calls fail as planned, and a sticky error persists") {
    setenv("FAKE_CUDA_MEMORY", "1000", 1);
    fake::reset();
    void* memory = device_bytes(600);
    CHECK(cudaMalloc(&memory, 600) == cudaErrorMemoryAllocation);
    std::size_t free = 0, total = 0;
    CHECK(cudaMemGetInfo(&free, &total) == cudaSuccess);
    CHECK(free == 400);
    CHECK(total == 1000);
    fake::fail("cudaDeviceSynchronize", cudaErrorLaunchFailure);
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
    CHECK(cudaMalloc(&memory, 4) == cudaErrorLaunchFailure);
    CHECK(cudaGetLastError() == cudaErrorLaunchFailure);
    CHECK(cudaGetLastError() == cudaErrorLaunchFailure);
    CHECK(cudaDeviceReset() == cudaSuccess);
    CHECK(cudaMalloc(&memory, 1000) == cudaSuccess);
    unsetenv("FAKE_CUDA_MEMORY");
}

TEST_CASE("environment variables choose the failing call and its rank") {
    auto const third = [](char const* what, char const* rank) {
        setenv("FAKE_CUDA_FAIL", what, 1);
        setenv("OMPI_COMM_WORLD_RANK", rank, 1);
        fake::reset();
        device_bytes(8);
        device_bytes(8);
        void* memory = nullptr;
        auto const code = cudaMalloc(&memory, 8);
        device_bytes(8); // not again
        return code;
    };
    CHECK(third("cudaMalloc:3", "1") == cudaErrorMemoryAllocation);
    CHECK(third("cudaMalloc:3@1", "1") == cudaErrorMemoryAllocation);
    CHECK(third("cudaMalloc:3@1", "11") == cudaSuccess);
    CHECK(third("cudaMallocHost:3", "1") == cudaSuccess);
    unsetenv("FAKE_CUDA_FAIL");
    unsetenv("OMPI_COMM_WORLD_RANK");
    fake::reset();
}

TEST_CASE("an environment variable sets the number of devices, or an insufficient driver") {
    int count = -1, device = -1;
    setenv("FAKE_CUDA_DEVICES", "2", 1);
    fake::reset();
    CHECK(cudaGetDeviceCount(&count) == cudaSuccess);
    CHECK(count == 2);
    CHECK(cudaSetDevice(1) == cudaSuccess);
    CHECK(cudaGetDevice(&device) == cudaSuccess);
    CHECK(device == 1);
    CHECK(cudaSetDevice(2) == cudaErrorInvalidDevice);
    setenv("FAKE_CUDA_DEVICES", "0", 1);
    fake::reset();
    CHECK(cudaGetDeviceCount(&count) == cudaErrorNoDevice);
    CHECK(count == 0);
    unsetenv("FAKE_CUDA_DEVICES");
    setenv("FAKE_CUDA_DRIVER", "old", 1);
    fake::reset();
    CHECK(cudaGetDeviceCount(&count) == cudaErrorInsufficientDriver);
    unsetenv("FAKE_CUDA_DRIVER");
    fake::reset();
}
