// SPDX-License-Identifier: BSL-1.0
#include "osu/collective/omb_work.hpp"

#ifdef OSU_KERNELS
#include "suite/gpu_work.hpp"
#endif

#include <memory>
#include <stdexcept>
#include <utility>

namespace osu {

#ifdef OSU_KERNELS

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

#else // `-r gpu` and `-r both` are refused before anything is measured

namespace {

[[noreturn]] device_work refuse() { throw std::logic_error{"osu: no kernels are built in"}; }

} // namespace

bool has_kernels() { return false; }

device_work kernel_beside(std::size_t) { refuse(); }
device_work kernel_beside(omb_work<>) { refuse(); }
device_work kernel_beside(sonde::calibrated_work<>) { refuse(); }

#endif

} // namespace osu
