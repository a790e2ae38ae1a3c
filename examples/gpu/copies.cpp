// SPDX-License-Identifier: BSL-1.0

// Copy rates of the device: measured by a loop written by hand and by Sonde, alternately.

#include "copy.hpp"
#include "in_turns.hpp"
#include "on_device.hpp"

#include <sonde/sonde.hpp>

#include <cstddef>

namespace {

double by_hand(sonde::opaque_region to, sonde::opaque_region from, gpu::stream_type stream) {
    return gpu::median_time([=] {
        static_cast<void>(gpu::copy_async.address(to.data(), from.data(), to.size(), gpu::any_direction, stream));
        static_cast<void>(gpu::native::runtime::synchronize_stream.address(stream));
    });
}

double by_sonde(sonde::opaque_region to, sonde::opaque_region from, gpu::stream_type stream) {
    sonde::single_rank here;
    auto const plan = sonde::plan<>{}.until(sonde::samples{gpu::iterations});
    return sonde::median(sonde::run(here, plan, gpu::copy{to, from, stream})).count();
}

void compare(char const* what, sonde::opaque_region to, sonde::opaque_region from, gpu::stream_type stream) {
    gpu::in_turns(
        what, to.size(), [=] { return by_hand(to, from, stream); }, [=] { return by_sonde(to, from, stream); });
}

void measure(std::size_t bytes) {
    sonde::allocation<gpu::native::device_memory> device{bytes}, other{bytes};
    sonde::allocation<gpu::native::pinned_memory> host{bytes};
    gpu::native::stream stream;
    compare("device to device", other.bytes(), device.bytes(), stream);
    compare("host to device", device.bytes(), host.bytes(), stream);
    compare("device to host", host.bytes(), device.bytes(), stream);
}

} // namespace

int main() {
    return gpu::on_device([] {
        gpu::heading();
        for (std::size_t bytes = 4096; bytes <= (std::size_t{1} << 26); bytes *= 8) measure(bytes);
        return true;
    });
}
