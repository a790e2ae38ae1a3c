// SPDX-License-Identifier: BSL-1.0
#include "call.hpp"
#include "enqueue.hpp"
#include "streams.hpp"

#include <utility>

using namespace fake;

bool fake_cuda_enqueue(cudaStream_t where, std::function<void()> work, long long ns) {
    auto const found = stream_of(where);
    if (found) enqueue(found, {std::move(work), ns});
    return found != nullptr;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* made, unsigned flags) {
    return call("cudaStreamCreateWithFlags", line("cudaStreamCreateWithFlags", flags), [&] {
        if (flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
        *made = create_stream(flags != cudaStreamNonBlocking);
        return cudaSuccess;
    });
}

cudaError_t cudaStreamCreate(cudaStream_t* made) {
    return call("cudaStreamCreate", line("cudaStreamCreate"), [&] {
        *made = create_stream(true);
        return cudaSuccess;
    });
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
    return call("cudaStreamDestroy", line("cudaStreamDestroy", number_of(handle)),
                [&] { return destroy_stream(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
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
