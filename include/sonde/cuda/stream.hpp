// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/cuda/device.hpp>
#include <sonde/time.hpp>

#include <cuda_runtime_api.h>

#include <utility>

namespace sonde::cuda {

/// Wait for all work in a stream.
inline void synchronize(cudaStream_t stream) { check(cudaStreamSynchronize(stream), "cudaStreamSynchronize"); }

/// Owner of a non-blocking stream of the current device: it and the default stream do not wait for each other.
class [[nodiscard]] stream {
public:
    stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags"); }
    stream(stream&& other) noexcept : stream_{std::exchange(other.stream_, nullptr)} {}
    stream& operator=(stream&&) = delete;
    ~stream() {
        if (stream_ != nullptr) cudaStreamDestroy(stream_);
    }

    operator cudaStream_t() const& { return stream_; }
    operator cudaStream_t() const&& = delete; // a temporary destroys the stream at once
    void synchronize() const { cuda::synchronize(stream_); }
    /// True if all work in the stream is complete.
    bool query() const { return detail::is_complete(cudaStreamQuery(stream_), "cudaStreamQuery"); }

private:
    cudaStream_t stream_ = nullptr;
};

/// Owner of an event, which may be recorded repeatedly.
class [[nodiscard]] event {
public:
    event() { check(cudaEventCreateWithFlags(&event_, cudaEventDefault), "cudaEventCreateWithFlags"); }
    event(event&& other) noexcept : event_{std::exchange(other.event_, nullptr)} {}
    event& operator=(event&&) = delete;
    ~event() {
        if (event_ != nullptr) cudaEventDestroy(event_);
    }

    operator cudaEvent_t() const& { return event_; }
    operator cudaEvent_t() const&& = delete; // a temporary destroys the event at once
    /// Record the completion of all work that is in the stream now.
    void record(cudaStream_t stream) const { check(cudaEventRecord(event_, stream), "cudaEventRecord"); }
    void synchronize() const { check(cudaEventSynchronize(event_), "cudaEventSynchronize"); }
    /// True if all recorded work is complete.
    bool query() const { return detail::is_complete(cudaEventQuery(event_), "cudaEventQuery"); }

private:
    cudaEvent_t event_ = nullptr;
};

/// Time between two events; waits for both. CUDA reports it in milliseconds as a float, with a resolution of about
/// 0.5 us and a relative error of up to 6e-8.
[[nodiscard]] inline seconds elapsed(event const& begin, event const& end) {
    begin.synchronize(); // in another stream, it may complete after `end`
    end.synchronize();
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
    return seconds{static_cast<double>(milliseconds) / 1e3};
}

} // namespace sonde::cuda
