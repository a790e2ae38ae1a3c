// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "exchange.hpp"

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <functional>
#include <vector>

namespace fake {

/// What a call asks for: bytes to move, and then something to do with what has come.
struct task {
    std::shared_ptr<member> me;
    cudaStream_t stream;
    std::vector<transfer> transfers;
    std::function<void()> then = {};
};

/// Into its stream, at once or at the end of the group: there all sends and receives on a stream become one.
void submit(task what);

/// In a group, an error comes out of its end, too.
ncclResult_t failed_in_group(ncclResult_t code);

} // namespace fake
