// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/group.hpp>

namespace osu {

/// Is CUDA built in? Without it no other function of this header is called.
bool has_cuda();

} // namespace osu
