// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/memory_kinds.hpp"

#include <sonde/clock.hpp>
#include <sonde/memory/buffer.hpp>

#include <string>

namespace osu {

// Touches of managed memory. OMB starts a kernel for each touch by a device, and subtracts the launches from the time
// of an iteration.

/// Create everything that `touch` needs, before any clock runs. Throws refusal, with the options that need it, if host
/// and device cannot use managed memory at the same time. Built with CUDA or ROCm only.
void prepare_touch(std::string const& options);

/// Touch the bytes of a message by the side that uses this kind of managed memory; complete when it returns. Built with
/// CUDA or ROCm only.
void touch(sonde::opaque_region bytes, memory_kind kind);

/// Time of the shortest operation of the device, from its launch to its end: median of ten means. Built with CUDA or
/// ROCm only.
sonde::seconds launch_time();

} // namespace osu
