// SPDX-License-Identifier: BSL-1.0
#include "streams.hpp"

#include "devices.hpp"
#include "registry.hpp"

#include <map>
#include <utility>

namespace fake {

namespace {

struct streams {
    std::mutex lock;
    registry<cudaStream_t, stream> created;
    std::map<int, std::shared_ptr<stream>> defaults; // of each device
    std::vector<std::shared_ptr<stream>> ending;     // destroyed before completion
    int numbered = 0;

    std::shared_ptr<stream> default_of(int device) {
        auto& found = defaults[device];
        if (!found) found = std::make_shared<stream>(device, true, 0);
        return found;
    }
    std::vector<std::shared_ptr<stream>> of(int device) {
        auto found = created.every();
        found.insert(found.end(), ending.begin(), ending.end());
        std::erase_if(found, [&](auto const& one) { return one->device != device; });
        found.push_back(default_of(device));
        return found;
    }
};

} // namespace

static streams& all_streams() {
    static auto& them = *new streams;
    return them;
}

std::shared_ptr<stream> stream_of(cudaStream_t handle) {
    auto const hold = std::lock_guard{all_streams().lock};
#ifndef __HIP_PLATFORM_AMD__
    if (handle == cudaStreamLegacy) handle = nullptr;
#endif
    if (handle == nullptr) return all_streams().default_of(current_device());
    return all_streams().created.find(handle);
}

cudaStream_t create_stream(bool blocking) {
    auto const hold = std::lock_guard{all_streams().lock};
    return all_streams().created.add(std::make_shared<stream>(current_device(), blocking, ++all_streams().numbered));
}

bool destroy_stream(cudaStream_t handle) {
    auto const hold = std::lock_guard{all_streams().lock};
    std::erase_if(all_streams().ending, [](auto const& one) { return one->idle(); });
    auto const gone = all_streams().created.remove(handle);
    if (!gone) return false;
    gone->close();
    all_streams().ending.push_back(gone);
    return true;
}

int number_of(cudaStream_t handle) {
    auto const found = stream_of(handle);
    return found ? found->number : -1;
}

static std::vector<std::shared_ptr<stream>> streams_of(int device) {
    auto const hold = std::lock_guard{all_streams().lock};
    return all_streams().of(device);
}

mark_ptr enqueue(std::shared_ptr<stream> const& where, operation what) {
    for (auto const& other : streams_of(where->device)) {
        auto const take_turns = other != where && other->blocking && where->blocking;
        if (!take_turns || (other->number != 0 && where->number != 0)) continue;
        if (auto end = other->tail()) what.after.push_back(std::move(end));
    }
    return where->add(std::move(what));
}

void wait_for_device(int device) {
    for (auto const& each : streams_of(device)) {
        if (auto const end = each->tail()) end->wait();
    }
}

void forget_streams(int device) {
    auto const hold = std::lock_guard{all_streams().lock};
    auto const meant = [&](stream const& one) { return device == -1 || one.device == device; };
    for (auto const& one : all_streams().created.every()) {
        if (meant(*one)) one->close();
    }
    all_streams().created.remove_if(meant);
    std::erase_if(all_streams().ending, [&](auto const& one) { return meant(*one); });
    std::erase_if(all_streams().defaults, [&](auto const& one) {
        if (meant(*one.second)) one.second->close();
        return meant(*one.second);
    });
    if (device == -1) all_streams().numbered = 0;
}

} // namespace fake
