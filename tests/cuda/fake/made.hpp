// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <cstddef>
#include <cstring>

// Objects for tests of the fake runtime, created with checks.

inline void* device_bytes(std::size_t n) {
    void* memory = nullptr;
    CHECK(cudaMalloc(&memory, n) == cudaSuccess);
    return memory;
}

inline void* pinned_bytes(std::size_t n, int value) {
    void* memory = nullptr;
    CHECK(cudaHostAlloc(&memory, n, cudaHostAllocDefault) == cudaSuccess);
    std::memset(memory, value, n);
    return memory;
}

inline cudaStream_t new_stream() {
    cudaStream_t made = nullptr;
    CHECK(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking) == cudaSuccess);
    return made;
}

inline cudaEvent_t new_event() {
    cudaEvent_t made = nullptr;
    CHECK(cudaEventCreate(&made) == cudaSuccess);
    return made;
}
