// SPDX-License-Identifier: BSL-1.0
#include "gpu/work.hpp"
#include "osu/driver/omb_work.hpp"

#include <utility>

namespace osu {

namespace {

template <class Host>
device_work beside(Host host) {
    return device_work{std::make_shared<gpu::work<Host>>(std::move(host))};
}

} // namespace

bool has_kernels() { return true; }

device_work kernel_beside(std::size_t tests) { return beside(gpu::tests{tests}); }
device_work kernel_beside(omb_work<> host) { return beside(std::move(host)); }
device_work kernel_beside(sonde::calibrated_work<> host) { return beside(std::move(host)); }

} // namespace osu
