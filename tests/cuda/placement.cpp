// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <sonde/sync.hpp>

#include <cstddef>
#include <span>
#include <stdexcept>

using namespace fake_cuda;
using sonde::cuda::location;
using sonde::cuda::managed_memory;
using sonde::cuda::prefetcher;

namespace {

/// Managed memory of two sizes, a stream, and a group whose barrier can be seen among the calls.
struct managed : started {
    struct seen : sonde::solo {
        void barrier() const { cudaDeviceSynchronize(); }
    } group;
    sonde::allocation<managed_memory> out{100}, in{200};
    sonde::cuda::stream stream;
    prefetcher place{stream, {{out.bytes(), location::device}, {in.bytes(), location::host}}};

    auto plan() const { return sonde::plan<>{}.warmup(0).until(sonde::samples{2}); }
    static void iterate() { cudaGetLastError(), cudaStreamQuery(nullptr); }
    static calls seen_calls() {
        return only({"cudaMemPrefetchAsync", "cudaStreamSynchronize", "cudaDeviceSynchronize", "cudaStreamQuery"});
    }
};

} // namespace

TEST_CASE_FIXTURE(managed, "pages are put to the device that is current, and to the host, in the order of the stream") {
    start({{"FAKE_CUDA_DEVICES", "2"}});
    sonde::allocation<managed_memory> const memory{64};
    sonde::cuda::stream const on;
    sonde::solo alone;
    sonde::cuda::choose_device(alone, 1);
    sonde::cuda::stream const second;
    sonde::cuda::prefetch(memory.bytes(), location::device, second);
    sonde::cuda::prefetch(memory.bytes(), location::host, second);
    sonde::cuda::prefetch(memory.bytes().first(0), location::host, second);
    CHECK(only({"cudaMemPrefetchAsync"}) ==
          calls{"cudaMemPrefetchAsync 64 device 1 2", "cudaMemPrefetchAsync 64 host 2"});
}

TEST_CASE_FIXTURE(managed, "placed before the ranks are brought together: pages are there when a sample begins") {
    (void)sonde::run(group, plan().synchronized(sonde::prepared_sync{sonde::barrier_each{}, &place}), iterate);
    calls const once{"cudaMemPrefetchAsync 100 device 0 1", "cudaMemPrefetchAsync 200 host 1",
                     "cudaStreamSynchronize 1", "cudaDeviceSynchronize", "cudaStreamQuery 0"};
    auto twice = once;
    twice.insert(twice.end(), once.begin(), once.end());
    CHECK(seen_calls() == twice);
}

TEST_CASE_FIXTURE(managed, "placed outside: the time of it is not in the sample; inside: it is, with the wait") {
    fake::costs({.copy_per_byte_ns = 1});
    sonde::cuda::event_clock const clock{stream};
    auto const timed = plan().synchronized(sonde::no_sync{}).timed_by(clock);
    auto const outside = timed.synchronized(sonde::prepared_sync{sonde::no_sync{}, &place});
    CHECK(ns(sonde::run(group, outside, iterate).series) == times{0, 0});
    CHECK(ns(sonde::run(group, timed.batch(3), sonde::before{place, iterate}).series) == times{300, 300});
}

TEST_CASE_FIXTURE(managed, "in a batch only the first iteration would find pages placed: the plan is refused") {
    auto const outside = plan().synchronized(sonde::prepared_sync{sonde::no_sync{}, &place});
    CHECK_THROWS_AS(sonde::run(group, outside.batch(2), iterate), std::invalid_argument);
    CHECK(count("cudaMemPrefetchAsync") == 0);
}

TEST_CASE_FIXTURE(managed, "pages that cannot be placed are said to be so in the words of CUDA") {
    fake::fail("cudaMemPrefetchAsync", cudaErrorInvalidValue);
    CHECK(thrown([this] { place(); }) == "cudaMemPrefetchAsync: invalid argument");
    CHECK(cudaPeekAtLastError() == cudaSuccess);
}

TEST_CASE("where host and device cannot use managed memory at the same time, a line says that it cannot be placed") {
    start({{"FAKE_CUDA_CONCURRENT", "0"}});
    sonde::allocation<managed_memory> const memory{64};
    CHECK(!sonde::cuda::can_prefetch());
    for (auto const where : {location::device, location::host})
        CHECK(thrown([&] { sonde::cuda::prefetch(memory.bytes(), where, nullptr); }) ==
              "cudaMemPrefetchAsync: pages of managed memory cannot be placed: host and this device cannot use it at "
              "the same time");
    CHECK(cudaPeekAtLastError() == cudaSuccess);
    start();
    CHECK(sonde::cuda::can_prefetch());
}
