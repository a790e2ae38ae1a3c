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

/// Managed memory of two sizes, a stream, and a group whose barrier appears among the calls.
struct managed : one_device {
    struct seen : sonde::single_rank {
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

TEST_CASE_FIXTURE(managed, "pages are prefetched to the current device, and to the host, in the order of the stream") {
    start({{"FAKE_CUDA_DEVICES", "2"}});
    sonde::allocation<managed_memory> const memory{64};
    sonde::cuda::stream const on;
    sonde::single_rank alone;
    sonde::cuda::choose_device(alone, 1);
    sonde::cuda::stream const second;
    sonde::cuda::prefetch(memory.bytes(), location::device, second);
    sonde::cuda::prefetch(memory.bytes(), location::host, second);
    sonde::cuda::prefetch(memory.bytes().first(0), location::host, second);
    CHECK(only({"cudaMemPrefetchAsync"}) ==
          calls{"cudaMemPrefetchAsync 64 device 1 2", "cudaMemPrefetchAsync 64 host 2"});
}

TEST_CASE_FIXTURE(managed, "prefetch before the synchronization: pages have arrived when a sample begins") {
    (void)sonde::run(group, plan().synchronized(sonde::prepared_sync{sonde::barrier_each{}, &place}), iterate);
    calls const once{"cudaMemPrefetchAsync 100 device 0 1", "cudaMemPrefetchAsync 200 host 1",
                     "cudaStreamSynchronize 1", "cudaDeviceSynchronize", "cudaStreamQuery 0"};
    auto twice = once;
    twice.insert(twice.end(), once.begin(), once.end());
    CHECK(seen_calls() == twice);
}

TEST_CASE_FIXTURE(managed, "the time of a prefetch is outside the sample, or inside with its wait, as requested") {
    fake::costs({.copy_per_byte_ns = 1});
    sonde::cuda::event_clock const clock{stream};
    auto const timed = plan().synchronized(sonde::no_sync{}).timed_by(clock);
    auto const outside = timed.synchronized(sonde::prepared_sync{sonde::no_sync{}, &place});
    CHECK(ns(sonde::run(group, outside, iterate).series) == times{0, 0});
    CHECK(ns(sonde::run(group, timed.batch(3), sonde::with_setup{place, iterate}).series) == times{300, 300});
}

TEST_CASE_FIXTURE(managed, "a batch is refused, because only its first iteration would find pages prefetched") {
    auto const outside = plan().synchronized(sonde::prepared_sync{sonde::no_sync{}, &place});
    CHECK_THROWS_AS(sonde::run(group, outside.batch(2), iterate), std::invalid_argument);
    CHECK(count("cudaMemPrefetchAsync") == 0);
}

TEST_CASE_FIXTURE(managed, "pages that cannot be placed throw with CUDA's text") {
    fake::fail("cudaMemPrefetchAsync", cudaErrorInvalidValue);
    CHECK(thrown([this] { place(); }) == "cudaMemPrefetchAsync: invalid argument");
    CHECK(cudaPeekAtLastError() == cudaSuccess);
}

TEST_CASE("prefetching without concurrent access to managed memory throws") {
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
