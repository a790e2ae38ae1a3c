// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/cuda/error.hpp>

#include <cuda_runtime_api.h>

#include <concepts>
#include <utility>

namespace sonde::nccl {

namespace detail {

/// Is all over that was enqueued?
inline bool is_over(cudaStream_t stream) { return cuda::detail::is_over(cudaStreamQuery(stream), "cudaStreamQuery"); }

} // namespace detail

/// Nothing to do.
struct no_errand {
    void operator()() const {}
};

/// How a rank waits until all is over that it enqueued.
///
///     w(stream, watch)   watch() throws nccl::error where what is under way has failed: it would never be over
///     w(stream)          a wait that does not look
template <class W>
concept Wait = std::invocable<W&, cudaStream_t, no_errand&> || std::invocable<W&, cudaStream_t>;

/// cudaStreamQuery until all is over; after each a look at the communicator, so that a failure is an exception, and
/// `between()`, which may let another library make progress.
template <std::invocable Between = no_errand>
class polling {
public:
    explicit polling(Between between = {}) : between_{std::move(between)} {}
    template <std::invocable Watch>
    void operator()(cudaStream_t stream, Watch&& watch) {
        while (!detail::is_over(stream)) {
            watch();
            between_();
        }
    }

private:
    Between between_;
};

/// cudaStreamSynchronize: after a failure it waits for ever.
struct synchronizing {
    void operator()(cudaStream_t stream) const { cuda::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize"); }
};

} // namespace sonde::nccl
