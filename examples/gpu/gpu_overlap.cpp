// SPDX-License-Identifier: BSL-1.0

// Fraction of a copy between host and device that is hidden behind a kernel of the same duration.

#include "copy.hpp"
#include "on_device.hpp"

#include "suite/gpu_work.hpp"

#include <sonde/measure/overlap.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>

namespace {

/// The program fails if less than this fraction of a copy is hidden: copy engines are independent of kernels.
constexpr double expected = 0.5;

bool told(char const* beside, std::size_t bytes, sonde::overlap_records const& found) {
    auto const us = [](sonde::record const& r) { return 1e6 * sonde::median(r).count(); };
    std::printf("%-12s %9zu %12.2f %12.2f %12.2f %8.1f %%\n", beside, bytes, us(found.communication), us(found.work),
                us(found.both), 100 * sonde::overlap(found));
    return sonde::overlap(found) > expected;
}

bool measure(std::size_t bytes) {
    sonde::single_rank here;
    sonde::allocation<gpu::native::device_memory> to{bytes};
    sonde::allocation<gpu::native::pinned_memory> from{bytes};
    gpu::native::stream stream;
    gpu::copy copy{to.bytes(), from.bytes(), stream};
    auto const plan = sonde::plan<>{}.until(sonde::samples{200});
    gpu::work kernel{gpu::tests{10}};
    auto const beside_kernel = sonde::measure_overlap(here, plan, copy, kernel);
    gpu::work both{sonde::calibrated_work{10}};
    auto const beside_both = sonde::measure_overlap(here, plan, copy, both);
    auto const first = told("kernel", bytes, beside_kernel), second = told("kernel, host", bytes, beside_both);
    return first && second;
}

} // namespace

int main() {
    return gpu::on_device([] {
        std::printf("%-12s %9s %12s %12s %12s %10s\n", "beside", "bytes", "copy us", "work us", "both us", "hidden");
        auto right = true;
        for (auto const bytes : {std::size_t{1} << 20, std::size_t{1} << 26}) right &= measure(bytes);
        return right;
    });
}
