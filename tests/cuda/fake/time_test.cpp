// SPDX-License-Identifier: BSL-1.0
#include "control.hpp"
#include "enqueue.hpp"
#include "made.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

static long long between(cudaEvent_t begin, cudaEvent_t end) {
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, begin, end) == cudaSuccess);
    return std::llround(static_cast<double>(ms) * 1e6);
}

static void launch(cudaStream_t stream, unsigned long long ns) {
    void* arguments[] = {&ns};
    CHECK(cudaLaunchKernel(nullptr, 1, 1, arguments, 0, stream) == cudaSuccess);
}

/// The first byte of a device's memory.
static int first_byte(void const* memory) {
    unsigned char byte = 0;
    CHECK(cudaMemcpy(&byte, memory, 1, cudaMemcpyDeviceToHost) == cudaSuccess);
    return byte;
}

TEST_CASE("virtual time passes exactly by the costs for the host, in a stream and between events") {
    fake::reset();
    fake::use_virtual_time();
    fake::costs({.call_ns = 1, .copy_ns = 100, .copy_per_byte_ns = 2, .kernel_ns = 10});
    auto* const to = device_bytes(1000);
    auto* const from = pinned_bytes(1000, 5);
    auto const stream = new_stream();
    auto const begin = new_event(), middle = new_event(), end = new_event();
    CHECK(fake::now() == 6);
    cudaEventRecord(begin, stream);                                  // at 7, host and stream
    cudaMemcpyAsync(to, from, 1000, cudaMemcpyHostToDevice, stream); // 8 to 2108
    cudaEventRecord(middle, stream);                                 // at 2108, host 9
    launch(stream, 500);                                             // 2108 to 2618, host 10
    cudaEventRecord(end, stream);                                    // at 2618, host 11
    CHECK(cudaEventQuery(middle) == cudaErrorNotReady);              // host 12
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
    CHECK(fake::now() == 2618);
    CHECK(between(begin, middle) == 2101);
    CHECK(between(middle, end) == 510);
    fake::advance(1000);
    CHECK(fake::now() == 3620);
    cudaEventRecord(begin, stream); // the stream has been free for long
    CHECK(fake::now() == 3621);
    cudaEventRecord(end, nullptr);
    CHECK(between(begin, end) == 1);
}

TEST_CASE("a stream waits for an event, and the default stream for the blocking streams") {
    fake::reset();
    fake::use_virtual_time();
    auto const first = new_stream(), second = new_stream();
    cudaStream_t blocking = nullptr;
    CHECK(cudaStreamCreate(&blocking) == cudaSuccess);
    auto const event = new_event();
    launch(first, 300);
    cudaEventRecord(event, first);
    cudaStreamWaitEvent(second, event, 0);
    launch(second, 20);
    launch(blocking, 70);
    launch(nullptr, 5);
    cudaStreamSynchronize(nullptr);
    CHECK(fake::now() == 75);
    cudaStreamSynchronize(second);
    CHECK(fake::now() == 320);
}

TEST_CASE("in real time a copy from pinned memory happens later, and copies the contents of that moment") {
    fake::reset();
    fake::costs({.copy_ns = 20'000'000});
    auto* const to = device_bytes(8);
    auto* const from = pinned_bytes(8, 1);
    auto const stream = new_stream();
    CHECK(cudaMemcpyAsync(to, from, 8, cudaMemcpyHostToDevice, stream) == cudaSuccess);
    CHECK(cudaStreamQuery(stream) == cudaErrorNotReady);
    std::memset(from, 2, 8); // too early
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
    CHECK(cudaStreamQuery(stream) == cudaSuccess);
    CHECK(first_byte(to) == 2);
}

TEST_CASE(
    "in real time a copy from pageable memory has read its source when the call returns, and may complete later") {
    fake::reset();
    fake::costs({.copy_ns = 20'000'000});
    auto* const to = device_bytes(8);
    auto bytes = std::array<char, 8>{3};
    CHECK(cudaMemcpy(to, bytes.data(), 8, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaStreamQuery(nullptr) == cudaErrorNotReady);
    bytes[0] = 4; // too late
    CHECK(first_byte(to) == 3);
}

TEST_CASE("the host waits for a copy from pageable memory that is large or whose destination is not device memory") {
    fake::reset();
    fake::use_virtual_time();
    fake::costs({.copy_ns = 100});
    auto const bytes = std::vector<char>(65537);
    auto* const to = device_bytes(65537);
    auto* const pinned = pinned_bytes(8, 0);
    CHECK(cudaMemcpy(to, bytes.data(), 65536, cudaMemcpyDefault) == cudaSuccess);
    CHECK(fake::now() == 0);
    CHECK(cudaMemcpy(to, bytes.data(), 65537, cudaMemcpyDefault) == cudaSuccess);
    CHECK(fake::now() == 200);
    CHECK(cudaMemcpy(pinned, bytes.data(), 8, cudaMemcpyDefault) == cudaSuccess);
    CHECK(fake::now() == 300);
}

TEST_CASE("in real time a stream executes its operations in order, also after it was destroyed") {
    fake::reset();
    auto* const memory = device_bytes(8);
    auto const stream = new_stream();
    launch(stream, 5'000'000);
    std::string order;
    for (char const c : {'a', 'b', 'c'}) fake_cuda_enqueue(stream, [&order, c] { order += c; });
    CHECK(cudaMemsetAsync(memory, 7, 8, stream) == cudaSuccess);
    CHECK(cudaStreamDestroy(stream) == cudaSuccess);
    CHECK(cudaStreamDestroy(stream) == cudaErrorInvalidResourceHandle);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(order == "abc");
    CHECK(*static_cast<char*>(fake_cuda_host(memory)) == 7);
}
