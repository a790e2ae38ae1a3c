// SPDX-License-Identifier: BSL-1.0
#pragma once

// Everything that measures NCCL, or RCCL: a communicator made from any group, links and collectives on a stream. It
// needs NCCL and the CUDA runtime, or RCCL and the HIP runtime.

#include <sonde/nccl/collectives.hpp>
#include <sonde/nccl/communicator.hpp>
#include <sonde/nccl/link.hpp>
