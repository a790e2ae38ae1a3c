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

/// The event of a handle, null where there is none; its number for the log, -1 there.
std::shared_ptr<event> event_of(cudaEvent_t handle);
int number_of(cudaEvent_t handle);

/// It comes when the stream has done what it was given before.
cudaError_t record(event& into, std::shared_ptr<stream> const& where);
mark_ptr last_record(event const& of);

/// Milliseconds from one record to another.
cudaError_t between(float& ms, event const& first, event const& second);

/// The events of a device, or of all (-1), are no more.
void forget_events(int device);

} // namespace fake
