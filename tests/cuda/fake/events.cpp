// SPDX-License-Identifier: BSL-1.0
#include "events.hpp"

#include "devices.hpp"
#include "registry.hpp"
#include "streams.hpp"

#include <mutex>
#include <utility>

namespace fake {

namespace {

struct events {
    std::mutex lock;
    registry<cudaEvent_t, event> created;
    int numbered = 0;
};

} // namespace

static events& all_events() {
    static auto& them = *new events;
    return them;
}

std::shared_ptr<event> event_of(cudaEvent_t handle) {
    auto const hold = std::lock_guard{all_events().lock};
    return all_events().created.find(handle);
}

int number_of(cudaEvent_t handle) {
    auto const found = event_of(handle);
    return found ? found->number : -1;
}

mark_ptr last_record(event const& of) {
    auto const hold = std::lock_guard{all_events().lock};
    return of.recorded;
}

cudaEvent_t create_event(bool timed) {
    auto const hold = std::lock_guard{all_events().lock};
    return all_events().created.add(std::make_shared<event>(event{current_device(), timed, ++all_events().numbered}));
}

bool destroy_event(cudaEvent_t handle) {
    auto const hold = std::lock_guard{all_events().lock};
    return all_events().created.remove(handle) != nullptr;
}

void forget_events(int device) {
    auto const hold = std::lock_guard{all_events().lock};
    all_events().created.remove_if([&](event const& one) { return device == -1 || one.device == device; });
    if (device == -1) all_events().numbered = 0;
}

cudaError_t record(event& into, std::shared_ptr<stream> const& where) {
    if (into.device != where->device) return cudaErrorInvalidResourceHandle;
    auto const end = enqueue(where, {});
    auto const hold = std::lock_guard{all_events().lock};
    into.recorded = end;
    return cudaSuccess;
}

cudaError_t between(float& ms, event const& first, event const& second) {
    auto const begin = last_record(first), end = last_record(second);
    if (!first.timed || !second.timed || !begin || !end) return cudaErrorInvalidResourceHandle;
    if (!begin->passed() || !end->passed()) return cudaErrorNotReady;
    ms = static_cast<float>(static_cast<double>(end->at() - begin->at()) * 1e-6);
    return cudaSuccess;
}

} // namespace fake
