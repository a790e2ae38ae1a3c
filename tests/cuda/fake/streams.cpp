// SPDX-License-Identifier: BSL-1.0
#include "streams.hpp"

#include "call.hpp"
#include "enqueue.hpp"
#include "registry.hpp"

#include <map>
#include <utility>

namespace fake {

namespace {

struct streams {
    std::mutex lock;
    registry<cudaStream_t, stream> created;
    std::map<int, std::shared_ptr<stream>> defaults; // of each device
    std::vector<std::shared_ptr<stream>> ending;     // destroyed before they were done
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
    cudaError_t create(cudaStream_t& made, bool blocking) {
        auto const hold = std::lock_guard{lock};
        made = created.add(std::make_shared<stream>(current_device(), blocking, ++numbered));
        return cudaSuccess;
    }
    bool destroy(cudaStream_t handle) {
        auto const hold = std::lock_guard{lock};
        std::erase_if(ending, [](auto const& one) { return one->idle(); });
        auto const gone = created.remove(handle);
        if (!gone) return false;
        gone->close();
        ending.push_back(gone);
        return true;
    }
};

} // namespace

static streams& all() {
    static auto& them = *new streams;
    return them;
}

std::shared_ptr<stream> stream_of(cudaStream_t handle) {
    auto const hold = std::lock_guard{all().lock};
    if (handle == nullptr || handle == cudaStreamLegacy) return all().default_of(current_device());
    return all().created.find(handle);
}

int number_of(cudaStream_t handle) {
    auto const found = stream_of(handle);
    return found ? found->number : -1;
}

static std::vector<std::shared_ptr<stream>> streams_of(int device) {
    auto const hold = std::lock_guard{all().lock};
    return all().of(device);
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
    auto const hold = std::lock_guard{all().lock};
    auto const meant = [&](stream const& one) { return device == -1 || one.device == device; };
    for (auto const& one : all().created.every()) {
        if (meant(*one)) one->close();
    }
    all().created.remove_if(meant);
    std::erase_if(all().ending, [&](auto const& one) { return meant(*one); });
    std::erase_if(all().defaults, [&](auto const& one) {
        if (meant(*one.second)) one.second->close();
        return meant(*one.second);
    });
    if (device == -1) all().numbered = 0;
}

} // namespace fake

using namespace fake;

bool fake_cuda_enqueue(cudaStream_t where, std::function<void()> work, long long ns) {
    auto const found = stream_of(where);
    if (found) enqueue(found, {std::move(work), ns});
    return found != nullptr;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* made, unsigned flags) {
    return call("cudaStreamCreateWithFlags", line("cudaStreamCreateWithFlags", flags), [&] {
        if (flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
        return all().create(*made, flags != cudaStreamNonBlocking);
    });
}

cudaError_t cudaStreamCreate(cudaStream_t* made) {
    return call("cudaStreamCreate", line("cudaStreamCreate"), [&] { return all().create(*made, true); });
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
    return call("cudaStreamDestroy", line("cudaStreamDestroy", number_of(handle)),
                [&] { return all().destroy(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
    return call("cudaStreamSynchronize", line("cudaStreamSynchronize", number_of(handle)), [&] {
        auto const found = stream_of(handle);
        if (!found) return cudaErrorInvalidResourceHandle;
        if (auto const end = found->tail()) end->wait();
        return cudaSuccess;
    });
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
    return call("cudaStreamQuery", line("cudaStreamQuery", number_of(handle)), [&] {
        auto const found = stream_of(handle);
        if (!found) return cudaErrorInvalidResourceHandle;
        return found->idle() ? cudaSuccess : cudaErrorNotReady;
    });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* data) {
    return call("cudaLaunchHostFunc", line("cudaLaunchHostFunc", number_of(handle)), [&] {
        auto const found = stream_of(handle);
        if (!found) return cudaErrorInvalidResourceHandle;
        enqueue(found, {[=] { function(data); }});
        return cudaSuccess;
    });
}
