// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "stream.hpp"

#include <cuda_runtime_api.h>

#include <memory>

namespace fake {

/// The stream of a handle, or the current device's default stream; null if unknown.
std::shared_ptr<stream> stream_of(cudaStream_t handle);

/// A new stream of the current device.
cudaStream_t create_stream(bool blocking);

/// Destroys a stream after its operations; false if unknown.
bool destroy_stream(cudaStream_t handle);

/// Its number for the log, -1 if unknown.
int number_of(cudaStream_t handle);

/// Enqueues an operation; a device's default stream and its blocking ones wait for one another.
mark_ptr enqueue(std::shared_ptr<stream> const& where, operation what);

/// The host waits for all operations of a device.
void wait_for_device(int device);

/// Drops the streams of a device, or of all (-1).
void forget_streams(int device);

} // namespace fake
