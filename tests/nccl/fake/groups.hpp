// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "exchange.hpp"

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <functional>
#include <vector>

namespace fake {

/// The transfers of a call, and an action on the received data.
struct task {
    std::shared_ptr<member> me;
    cudaStream_t stream;
    std::vector<transfer> transfers;
    std::function<void()> then = {};
};

/// Enqueues a task in its stream, at once or at the end of the group, where all sends and receives of a stream are
/// merged.
void submit(task what);

/// An error within a group, which the group's end returns, too.
ncclResult_t failed_in_group(ncclResult_t code);

} // namespace fake
