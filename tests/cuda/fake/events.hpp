// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "streams.hpp"

#include <cuda_runtime_api.h>

#include <memory>

namespace fake {

struct event {
    int device;
    bool timed;
    int number;
    mark_ptr recorded = nullptr; // null before the first record
};

cudaEvent_t create_event(bool timed);
bool destroy_event(cudaEvent_t handle);

/// The event of a handle, null if unknown; its number for the log, -1 if unknown.
std::shared_ptr<event> event_of(cudaEvent_t handle);
int number_of(cudaEvent_t handle);

/// Records the event after the stream's earlier operations.
cudaError_t record(event& into, std::shared_ptr<stream> const& where);
mark_ptr last_record(event const& of);

/// Milliseconds from one record to another.
cudaError_t between(float& ms, event const& first, event const& second);

/// Drops the events of a device, or of all (-1).
void forget_events(int device);

} // namespace fake
