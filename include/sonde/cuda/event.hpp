// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/cuda/error.hpp>
#include <sonde/time.hpp>

#include <cuda_runtime_api.h>

#include <utility>

namespace sonde::cuda {

/// An instant of a stream, owned; recorded again, it is another.
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
    /// When all that was put into the stream before is done.
    void record(cudaStream_t on) const { check(cudaEventRecord(event_, on), "cudaEventRecord"); }
    void synchronize() const { check(cudaEventSynchronize(event_), "cudaEventSynchronize"); }
    /// Has the stream come to it?
    bool query() const { return detail::is_over(cudaEventQuery(event_), "cudaEventQuery"); }

private:
    cudaEvent_t event_ = nullptr;
};

/// From one event to another, both of which it waits for. CUDA tells it in milliseconds, as a float: to about 0.5 us,
/// and no better than to 6e-8 of it.
[[nodiscard]] inline seconds between(event const& begin, event const& end) {
    begin.synchronize(); // if of another stream, it need not be over when the end is
    end.synchronize();
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
    return seconds{static_cast<double>(milliseconds) / 1e3};
}

} // namespace sonde::cuda
