// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "stream.hpp"

#include <cuda_runtime_api.h>

#include <memory>

namespace fake {

/// The stream of a handle, or the current device's default stream; null where there is none.
std::shared_ptr<stream> stream_of(cudaStream_t handle);

/// A new stream of the current device.
cudaStream_t create_stream(bool blocking);

/// It does what it was given, and is no more; false where there is none.
bool destroy_stream(cudaStream_t handle);

/// Its number for the log, -1 where there is none.
int number_of(cudaStream_t handle);

/// Give a stream something to do; a device's default stream and its blocking ones wait for one another.
mark_ptr enqueue(std::shared_ptr<stream> const& where, operation what);

/// The host waits for all that a device was given.
void wait_for_device(int device);

/// The streams of a device, or of all (-1), are no more.
void forget_streams(int device);

} // namespace fake
