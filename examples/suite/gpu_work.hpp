// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/gpu_runtime.hpp"
#include "suite/spin_kernel.hpp"

#include <sonde/clock.hpp>
#include <sonde/measure/overlap.hpp>
#include <sonde/stat/order_statistics.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace gpu {

#ifdef __HIP_PLATFORM_AMD__
inline constexpr auto launch_call = "hipLaunchKernel";
#else
inline constexpr auto launch_call = "cudaLaunchKernel";
#endif

/// Work of the host beside a kernel if it has no other work: a given number of tests, one after the other, also after
/// the operation is complete.
class tests {
public:
    explicit tests(std::size_t n = 0) : n_{n} {}
    template <class Test>
    void operator()(Test&& test) const {
        for (auto left = n_; left != 0; --left) test();
    }

private:
    std::size_t n_;
};

/// Work for `sonde::overlapped` that runs on the device: launch a kernel, do the host's part, wait for the kernel.
///
///     gpu::work alone{gpu::tests{10}};       // the host tests ten times while the kernel runs
///     gpu::work both{sonde::calibrated_work{10}};       // the host works, too; any Work
///     both.set_duration(20us);
///
/// The kernel runs on a stream of its own, which waits for no other. Throws the error of the runtime.
template <sonde::Work Host = tests, sonde::Clock C = sonde::steady_clock>
class work {
public:
    explicit work(Host host = Host{}, C clock = {}) : host_{std::move(host)}, clock_{std::move(clock)} {}

    /// Sets the duration of launch, kernel and wait together, measured on the host. If the host's work has a duration,
    /// it becomes the target minus the time of launch and wait. The shortest possible duration is that of launch and
    /// wait alone. The calibration takes about twenty times the target.
    void set_duration(sonde::seconds target) {
        nanoseconds_ = 0;
        auto const idle = median_time(); // launch and wait
        auto const left = target > idle ? target - idle : sonde::seconds{};
        if constexpr (requires { host_.set_duration(left); }) host_.set_duration(left);
        nanoseconds_ = whole_nanoseconds(left);
        if (nanoseconds_ != 0) correct(target);
    }

    template <class Test>
    void operator()(Test&& test) {
        launch();
        sonde::perform(host_, test);
        stream_.synchronize();
    }

    /// Duration that is passed to the kernel.
    unsigned long long nanoseconds() const { return nanoseconds_; }

private:
    static unsigned long long whole_nanoseconds(sonde::seconds t) {
        return static_cast<unsigned long long>(1e9 * t.count() + 0.5);
    }

    void launch() { suite::gpu_runtime::check(launch_spin(nanoseconds_, stream_), launch_call); }

    /// Median time of launch, kernel and wait.
    sonde::seconds median_time() {
        std::vector<sonde::seconds> times(5);
        for (auto& t : times) {
            auto const begin = clock_.now();
            launch();
            stream_.synchronize();
            t = clock_.now() - begin;
        }
        return sonde::median(sonde::detail::as_span(times));
    }

    /// Part of launch and wait may overlap with the kernel, so they may cost less with a kernel than alone. Keeps the
    /// duration of the kernel whose total time is closest to the target.
    void correct(sonde::seconds target) {
        auto const step = sonde::clock_properties_of(clock_).resolution;
        auto nearest = nanoseconds_;
        for (auto [round, least] = std::pair{0, target}; round != 4; ++round) {
            auto const error = median_time() - target;
            auto const off = error < sonde::seconds{} ? -error : error;
            if (off < least) nearest = nanoseconds_, least = off;
            if (off <= step) break;
            change(error);
        }
        nanoseconds_ = nearest;
    }
    void change(sonde::seconds error) {
        if (error < sonde::seconds{}) nanoseconds_ += whole_nanoseconds(-error);
        else nanoseconds_ -= std::min(nanoseconds_, whole_nanoseconds(error));
    }

    Host host_;
    C clock_;
    suite::gpu_runtime::stream stream_;
    unsigned long long nanoseconds_ = 0;
};

} // namespace gpu
