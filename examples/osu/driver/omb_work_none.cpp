// SPDX-License-Identifier: BSL-1.0
// A build without kernels: `-r gpu` and `-r both` are refused before anything is measured.
#include "osu/driver/omb_work.hpp"

#include <stdexcept>

namespace osu {

namespace {

[[noreturn]] device_work refuse() { throw std::logic_error{"osu: no kernels are built in"}; }

} // namespace

bool has_kernels() { return false; }

device_work kernel_beside(std::size_t) { refuse(); }
device_work kernel_beside(omb_work<>) { refuse(); }
device_work kernel_beside(sonde::calibrated_work<>) { refuse(); }

} // namespace osu
