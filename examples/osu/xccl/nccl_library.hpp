// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/library.hpp"

namespace osu {

/// NCCL, or RCCL, which has the functions of NCCL for AMD's devices.
extern library const nccl_library;

} // namespace osu
