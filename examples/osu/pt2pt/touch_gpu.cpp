// SPDX-License-Identifier: BSL-1.0
#include "osu/pt2pt/touch_gpu.hpp"

#include "osu/pt2pt/managed_touch.hpp"
#include "osu/pt2pt/messages.hpp"
#include "suite/gpu_runtime.hpp"

#include <sonde/mpi/group.hpp>
#include <sonde/stat/order_statistics.hpp>

#include <vector>

namespace osu {

namespace {

suite::gpu_runtime::stream const& stream_of_touch() {
    static suite::gpu_runtime::stream const stream;
    return stream;
}

} // namespace

void prepare_touch(std::string const& options) {
    if (!suite::gpu_runtime::can_prefetch())
        throw refusal{"The device does not let the host use managed memory while itself does [" + options +
                      "]; accepted: words without MH and MD"};
    static_cast<void>(stream_of_touch());
}

void touch(sonde::opaque_region bytes, memory_kind kind) {
    using suite::gpu_runtime::location;
    // OMB's kernel changes every byte; without kernels the device sets them.
    managed_touch{kind == memory_kind::managed_device ? location::device : location::host, stream_of_touch()}(bytes);
}

sonde::seconds launch_time() {
    constexpr int warmup = 10, batches = 10, measured = 100; // 1000, as OMB; the median, since one may be preempted
    sonde::allocation<suite::gpu_runtime::device_memory> const byte{1};
    suite::gpu_runtime::stream const stream;
    sonde::mpi::wtime clock;
    auto const launch = [&](int times) {
        for (int i = 0; i != times; ++i) {
            // OMB launches an empty kernel; the nearest operation without kernels sets one byte.
            suite::set_async(byte.bytes().data(), 0, 1, stream);
            stream.synchronize();
        }
    };
    launch(warmup);
    std::vector<sonde::seconds> times;
    for (int i = 0; i != batches; ++i) {
        auto const begin = clock.now();
        launch(measured);
        times.push_back(sonde::seconds{clock.now() - begin} / measured);
    }
    return sonde::median(times);
}

} // namespace osu
