// SPDX-License-Identifier: BSL-1.0

// Times of a long kernel and of a copy within the device, by the clock of their stream and by the host's clock.

#include "copy.hpp"
#include "on_device.hpp"
#include "suite/gpu_work.hpp"

#include "runtime.hpp" // gpu::native is sonde::cuda or sonde::hip

#include <sonde/sonde.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>

namespace {

/// The program fails if the two clocks differ by more than this on the long kernel.
constexpr double expected = 0.01;

struct kernel {
    unsigned long long nanoseconds;
    gpu::stream_type stream;
    void operator()() const { gpu::native::check(gpu::launch_spin(nanoseconds, stream), gpu::launch_call); }
    void complete() const { gpu::native::synchronize(stream); }
};

/// Relative excess of the time by the host's clock over the time by the stream.
template <sonde::Pattern P>
double compare(char const* what, std::size_t samples, P const& pattern, gpu::stream_type stream) {
    sonde::single_rank here;
    auto const plan = sonde::plan<>{}.warmup(3).until(sonde::samples{samples});
    // [clocks]
    auto const by_host = sonde::run(here, plan, pattern); // launched, and waited for
    gpu::native::event_clock clock{stream};
    auto const by_event = sonde::run(here, plan.timed_by(clock), gpu::native::without_completion{pattern});
    // [/clocks]
    auto const host = sonde::median(by_host).count(), event = sonde::median(by_event).count();
    std::printf("%-24s %14.2f %14.2f %+9.3f %%\n", what, 1e6 * host, 1e6 * event, 100 * (host / event - 1));
    return host / event - 1;
}

bool measure() {
    gpu::native::stream stream;
    auto const kernels = compare("kernel, told 50 ms", 20, kernel{50'000'000, stream}, stream);
    compare("kernel, told 1 ms", 100, kernel{1'000'000, stream}, stream);
    compare("kernel, told nothing", 500, kernel{0, stream}, stream);
    for (std::size_t bytes = 4096; bytes <= (std::size_t{1} << 28); bytes *= 256) {
        sonde::allocation<gpu::native::device_memory> to{bytes}, from{bytes};
        compare(("copy, bytes: " + std::to_string(bytes)).c_str(), 200, gpu::copying{to.bytes(), from.bytes(), stream},
                stream);
    }
    return std::abs(kernels) < expected;
}

} // namespace

int main() {
    return gpu::on_device([] {
        std::printf("%-24s %14s %14s %11s\n", "what", "host clock us", "event clock us", "host");
        return measure();
    });
}
