// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace sonde::cuda {

/// A call of the CUDA runtime failed: "cudaMalloc: out of memory".
class error : public std::runtime_error {
public:
    error(char const* call, cudaError_t code) : error{call, code, cudaGetErrorString(code)} {}
    /// With what there is to say of it, in a line.
    error(char const* call, cudaError_t code, std::string const& why)
        : std::runtime_error{std::string{call} + ": " + why}, call_{call}, code_{code} {}

    char const* call() const { return call_; }
    cudaError_t code() const { return code_; }

private:
    char const* call_;
    cudaError_t code_;
};

/// Throws cuda::error unless the call succeeded.
inline void check(cudaError_t code, char const* call) {
    if (code == cudaSuccess) return;
    static_cast<void>(cudaGetLastError()); // an error that was told must not come out of the next call, too
    throw error{call, code};
}

namespace detail {

/// Does the answer of a query say that all is over? Throws cuda::error where it tells of a failure.
inline bool is_over(cudaError_t answer, char const* call) {
    if (answer != cudaErrorNotReady) check(answer, call);
    // Not yet: no error, yet noted as one; what else was noted is for whoever asks.
    else if (cudaPeekAtLastError() == cudaErrorNotReady) static_cast<void>(cudaGetLastError());
    return answer == cudaSuccess;
}

} // namespace detail

} // namespace sonde::cuda
