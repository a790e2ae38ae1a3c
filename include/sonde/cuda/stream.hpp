// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/cuda/device.hpp>
#include <sonde/time.hpp>

#include <cuda_runtime_api.h>

#include <memory>
#include <type_traits>

namespace sonde::cuda {

namespace detail {

/// True if the result of a query (cudaStreamQuery, cudaEventQuery) is completion. Throws cuda::error for a failure.
inline bool is_complete(cudaError_t result, char const* call) {
    if (result != cudaErrorNotReady) check(result, call);
    // The runtime stores even "not ready" as its last error, which is cleared here; any other stored error stays.
    else if (cudaPeekAtLastError() == cudaErrorNotReady) static_cast<void>(cudaGetLastError());
    return result == cudaSuccess;
}
inline bool is_complete(cudaStream_t stream) { return is_complete(cudaStreamQuery(stream), "cudaStreamQuery"); }

template <class Handle, auto destroy>
using owner = std::unique_ptr<std::remove_pointer_t<Handle>, std::integral_constant<decltype(destroy), destroy>>;

} // namespace detail

/// Wait for all work in a stream.
inline void synchronize(cudaStream_t stream) { check(cudaStreamSynchronize(stream), "cudaStreamSynchronize"); }

/// Owner of a non-blocking stream of the current device: it and the default stream do not wait for each other.
class [[nodiscard]] stream {
public:
    stream() : made_{detail::value_of("cudaStreamCreateWithFlags", cudaStreamCreateWithFlags, cudaStreamNonBlocking)} {}

    operator cudaStream_t() const& { return made_.get(); }
    operator cudaStream_t() const&& = delete; // a temporary destroys the stream at once
    void synchronize() const { cuda::synchronize(made_.get()); }
    /// True if all work in the stream is complete.
    bool query() const { return detail::is_complete(made_.get()); }

private:
    detail::owner<cudaStream_t, cudaStreamDestroy> made_;
};

/// Owner of an event, which may be recorded repeatedly.
class [[nodiscard]] event {
public:
    event() : made_{detail::value_of("cudaEventCreateWithFlags", cudaEventCreateWithFlags, cudaEventDefault)} {}

    operator cudaEvent_t() const& { return made_.get(); }
    operator cudaEvent_t() const&& = delete; // a temporary destroys the event at once
    /// Record the completion of all work that is in the stream now.
    void record(cudaStream_t stream) const { check(cudaEventRecord(made_.get(), stream), "cudaEventRecord"); }
    void synchronize() const { check(cudaEventSynchronize(made_.get()), "cudaEventSynchronize"); }
    /// True if all recorded work is complete.
    bool query() const { return detail::is_complete(cudaEventQuery(made_.get()), "cudaEventQuery"); }

private:
    detail::owner<cudaEvent_t, cudaEventDestroy> made_;
};

/// Time between two events; waits for both. CUDA reports it in milliseconds as a float, with a resolution of about
/// 0.5 us and a relative error of up to 6e-8.
[[nodiscard]] inline seconds elapsed(event const& begin, event const& end) {
    begin.synchronize(); // in another stream, it may complete after `end`
    end.synchronize();
    auto const milliseconds = detail::value_of("cudaEventElapsedTime", cudaEventElapsedTime, begin, end);
    return seconds{static_cast<double>(milliseconds) / 1e3};
}

} // namespace sonde::cuda
