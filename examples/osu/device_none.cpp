// SPDX-License-Identifier: BSL-1.0
// A build without CUDA: whatever needs a device is refused when the command line is read.
#include "device.hpp"

namespace osu {

bool has_cuda() { return false; }

} // namespace osu
