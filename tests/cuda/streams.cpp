// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <utility>

using namespace fake_cuda;

TEST_CASE_FIXTURE(one_device, "a stream can be tested and waited for") {
    sonde::cuda::stream const stream;
    CHECK(stream.query());
    fake_cuda_enqueue(
        stream, [] {}, 5000);
    CHECK(!stream.query());
    stream.synchronize();
    CHECK(fake::now() == 5000);
    CHECK(stream.query());
    CHECK(only({"cudaStreamCreate"}) == calls{"cudaStreamCreateWithFlags 1"}); // does not wait for the default stream
}

TEST_CASE_FIXTURE(one_device, "an event can be tested and waited for") {
    sonde::cuda::stream const stream;
    sonde::cuda::event const done;
    fake_cuda_enqueue(
        stream, [] {}, 5000);
    done.record(stream);
    fake_cuda_enqueue(
        stream, [] {}, 4000);
    CHECK(!done.query());
    done.synchronize();
    CHECK(fake::now() == 5000);
    CHECK(done.query());
    CHECK(!stream.query());
}

TEST_CASE_FIXTURE(one_device, "a moved stream and a moved event are destroyed once") {
    {
        sonde::cuda::stream stream;
        sonde::cuda::event event;
        auto const there = std::move(stream);
        auto const then = std::move(event);
    }
    CHECK(only({"cudaStreamDestroy", "cudaEventDestroy"}).size() == 2);
}

TEST_CASE_FIXTURE(one_device, "a failed stream throws from its test, which is not true") {
    sonde::cuda::stream const stream;
    sonde::cuda::event const event;
    fake::fail("cudaStreamQuery", cudaErrorInvalidResourceHandle);
    CHECK(thrown([&] { static_cast<void>(stream.query()); }) == "cudaStreamQuery: invalid resource handle");
    fake::fail("cudaEventQuery", cudaErrorInvalidResourceHandle);
    CHECK(thrown([&] { static_cast<void>(event.query()); }) == "cudaEventQuery: invalid resource handle");
    fake::fail("cudaStreamSynchronize", cudaErrorInvalidResourceHandle);
    CHECK(thrown([&] { stream.synchronize(); }) == "cudaStreamSynchronize: invalid resource handle");
}

TEST_CASE_FIXTURE(one_device, "a test before completion leaves no error, and keeps the application's") {
    sonde::cuda::stream const stream;
    sonde::cuda::event const event;
    fake_cuda_enqueue(
        stream, [] {}, 5000);
    event.record(stream);
    CHECK(!stream.query());
    CHECK(cudaPeekAtLastError() == cudaSuccess);
    CHECK(!event.query());
    CHECK(cudaPeekAtLastError() == cudaSuccess);
    stream.synchronize();
    static_cast<void>(cudaSetDevice(7));
    CHECK(stream.query());
    CHECK(event.query());
    CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
}
