// SPDX-License-Identifier: BSL-1.0
#include "osu/pt2pt/managed_touch.hpp"
#include "osu/pt2pt/touch_cost.hpp"

#include <sonde/cuda/cuda.hpp>
#include <sonde/mpi/sync.hpp>

namespace osu {

namespace {

sonde::cuda::stream const& stream_of_touch() {
    static sonde::cuda::stream const stream;
    return stream;
}

} // namespace

void prepare_touch(std::string const& options) {
    if (!sonde::cuda::can_prefetch())
        throw refusal{"The device does not let the host use managed memory while itself does [" + options +
                      "]; accepted: words without MH and MD"};
    static_cast<void>(stream_of_touch());
}

void touch(sonde::opaque_region bytes, memory_kind kind) {
    using sonde::cuda::location;
    // OMB's kernel changes every byte; without kernels the device sets them.
    managed_touch{kind == memory_kind::managed_device ? location::device : location::host, stream_of_touch()}(bytes);
}

sonde::seconds launch_time() {
    constexpr int warmup = 10, measured = 1000;
    sonde::allocation<sonde::cuda::device_memory> const byte{1};
    sonde::cuda::stream const stream;
    sonde::mpi::wtime clock;
    auto const launch = [&](int times) {
        for (int i = 0; i != times; ++i) {
            // OMB launches an empty kernel; the nearest operation without kernels sets one byte.
            sonde::cuda::check(cudaMemsetAsync(byte.bytes().data(), 0, 1, stream), "cudaMemsetAsync");
            stream.synchronize();
        }
    };
    launch(warmup);
    auto const begin = clock.now();
    launch(measured);
    return sonde::seconds{clock.now() - begin} / measured;
}

} // namespace osu
