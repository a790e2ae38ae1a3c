// SPDX-License-Identifier: BSL-1.0
#include "call.hpp"
#include "events.hpp"
#include "streams.hpp"

using namespace fake;

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* made, unsigned flags) {
    return call("cudaEventCreateWithFlags", line("cudaEventCreateWithFlags", flags), [&] {
        if (flags > (cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess)) {
            return cudaErrorInvalidValue;
        }
        *made = create_event((flags & cudaEventDisableTiming) == 0);
        return cudaSuccess;
    });
}

cudaError_t cudaEventCreate(cudaEvent_t* made) {
    return call("cudaEventCreate", line("cudaEventCreate"), [&] {
        *made = create_event(true);
        return cudaSuccess;
    });
}

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
    return call("cudaEventDestroy", line("cudaEventDestroy", number_of(handle)),
                [&] { return destroy_event(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t where) {
    return call("cudaEventRecord", line("cudaEventRecord", number_of(handle), number_of(where)), [&] {
        auto const found = event_of(handle);
        auto const stream = stream_of(where);
        return found && stream ? record(*found, stream) : cudaErrorInvalidResourceHandle;
    });
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
    return call("cudaEventSynchronize", line("cudaEventSynchronize", number_of(handle)), [&] {
        auto const found = event_of(handle);
        if (!found) return cudaErrorInvalidResourceHandle;
        if (auto const end = last_record(*found)) end->wait();
        return cudaSuccess;
    });
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
    return call("cudaEventQuery", line("cudaEventQuery", number_of(handle)), [&] {
        auto const found = event_of(handle);
        if (!found) return cudaErrorInvalidResourceHandle;
        auto const end = last_record(*found);
        return !end || end->passed() ? cudaSuccess : cudaErrorNotReady;
    });
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t begin, cudaEvent_t end) {
    auto const entry = line("cudaEventElapsedTime", number_of(begin), number_of(end));
    return call("cudaEventElapsedTime", entry, [&] {
        auto const first = event_of(begin), second = event_of(end);
        return first && second ? between(*ms, *first, *second) : cudaErrorInvalidResourceHandle;
    });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t awaited, unsigned) {
    auto const entry = line("cudaStreamWaitEvent", number_of(handle), number_of(awaited));
    return call("cudaStreamWaitEvent", entry, [&] {
        auto const where = stream_of(handle);
        auto const found = event_of(awaited);
        if (!where || !found) return cudaErrorInvalidResourceHandle;
        if (auto const end = last_record(*found)) enqueue(where, {[] {}, 0, {end}});
        return cudaSuccess;
    });
}
