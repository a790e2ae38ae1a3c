// SPDX-License-Identifier: BSL-1.0
#include "events.hpp"

#include "call.hpp"
#include "registry.hpp"
#include "streams.hpp"

#include <mutex>
#include <utility>

namespace fake {

namespace {

struct event {
    int device;
    bool timed;
    int number;
    mark_ptr recorded = nullptr; // null before the first record
};

struct events {
    std::mutex lock;
    registry<cudaEvent_t, event> created;
    int numbered = 0;

    cudaError_t create(cudaEvent_t& made, bool timed) {
        auto const hold = std::lock_guard{lock};
        made = created.add(std::make_shared<event>(event{current_device(), timed, ++numbered}));
        return cudaSuccess;
    }
};

} // namespace

static events& all() {
    static auto& them = *new events;
    return them;
}

static std::shared_ptr<event> event_of(cudaEvent_t handle) {
    auto const hold = std::lock_guard{all().lock};
    return all().created.find(handle);
}

static int number_of(cudaEvent_t handle) {
    auto const found = event_of(handle);
    return found ? found->number : -1;
}

static mark_ptr last_record(event const& of) {
    auto const hold = std::lock_guard{all().lock};
    return of.recorded;
}

void forget_events(int device) {
    auto const hold = std::lock_guard{all().lock};
    all().created.remove_if([&](event const& one) { return device == -1 || one.device == device; });
    if (device == -1) all().numbered = 0;
}

static cudaError_t record(event& into, std::shared_ptr<stream> const& where) {
    if (into.device != where->device) return cudaErrorInvalidResourceHandle;
    auto const end = enqueue(where, {});
    auto const hold = std::lock_guard{all().lock};
    into.recorded = end;
    return cudaSuccess;
}

static cudaError_t between(float& ms, event const& first, event const& second) {
    auto const begin = last_record(first), end = last_record(second);
    if (!first.timed || !second.timed || !begin || !end) return cudaErrorInvalidResourceHandle;
    if (!begin->passed() || !end->passed()) return cudaErrorNotReady;
    ms = static_cast<float>(static_cast<double>(end->at() - begin->at()) * 1e-6);
    return cudaSuccess;
}

} // namespace fake

using namespace fake;

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* made, unsigned flags) {
    return call("cudaEventCreateWithFlags", line("cudaEventCreateWithFlags", flags), [&] {
        if (flags > (cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess)) {
            return cudaErrorInvalidValue;
        }
        return all().create(*made, (flags & cudaEventDisableTiming) == 0);
    });
}

cudaError_t cudaEventCreate(cudaEvent_t* made) {
    return call("cudaEventCreate", line("cudaEventCreate"), [&] { return all().create(*made, true); });
}

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
    return call("cudaEventDestroy", line("cudaEventDestroy", fake::number_of(handle)), [&] {
        auto const hold = std::lock_guard{all().lock};
        return all().created.remove(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle;
    });
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t where) {
    return call("cudaEventRecord", line("cudaEventRecord", fake::number_of(handle), fake::number_of(where)), [&] {
        auto const found = event_of(handle);
        auto const stream = stream_of(where);
        return found && stream ? record(*found, stream) : cudaErrorInvalidResourceHandle;
    });
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
    return call("cudaEventSynchronize", line("cudaEventSynchronize", fake::number_of(handle)), [&] {
        auto const found = event_of(handle);
        if (!found) return cudaErrorInvalidResourceHandle;
        if (auto const end = last_record(*found)) end->wait();
        return cudaSuccess;
    });
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
    return call("cudaEventQuery", line("cudaEventQuery", fake::number_of(handle)), [&] {
        auto const found = event_of(handle);
        if (!found) return cudaErrorInvalidResourceHandle;
        auto const end = last_record(*found);
        return !end || end->passed() ? cudaSuccess : cudaErrorNotReady;
    });
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t begin, cudaEvent_t end) {
    auto const said = line("cudaEventElapsedTime", fake::number_of(begin), fake::number_of(end));
    return call("cudaEventElapsedTime", said, [&] {
        auto const first = event_of(begin), second = event_of(end);
        return first && second ? between(*ms, *first, *second) : cudaErrorInvalidResourceHandle;
    });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t awaited, unsigned) {
    auto const said = line("cudaStreamWaitEvent", fake::number_of(handle), fake::number_of(awaited));
    return call("cudaStreamWaitEvent", said, [&] {
        auto const where = stream_of(handle);
        auto const found = event_of(awaited);
        if (!where || !found) return cudaErrorInvalidResourceHandle;
        if (auto const end = last_record(*found)) enqueue(where, {[] {}, 0, {end}});
        return cudaSuccess;
    });
}
