// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

/// The application: a field to send, a field to receive, and a copy of the received one, in device memory. It does not
/// use Sonde.
class fields {
public:
    fields(std::size_t bytes, int number) : bytes_{bytes} {
        for (auto** field : {&out_, &in_, &copy_}) require(cudaMalloc(field, bytes));
        require(cudaMemset(out_, number, bytes));
        require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        require(cudaDeviceSynchronize());
    }
    fields(fields const&) = delete;
    fields& operator=(fields const&) = delete;
    ~fields() {
        for (auto* field : {out_, in_, copy_}) cudaFree(field);
        cudaStreamDestroy(stream_);
    }

    std::byte* out() const { return static_cast<std::byte*>(out_); }
    std::byte* in() const { return static_cast<std::byte*>(in_); }
    cudaStream_t stream() const { return stream_; }

    /// Copy the first bytes of the received field; returns before the copy is complete.
    void copy(std::size_t bytes) const {
        require(cudaMemcpyAsync(copy_, in_, bytes, cudaMemcpyDeviceToDevice, stream_));
    }
    void wait() const { require(cudaStreamSynchronize(stream_)); }
    /// True if every byte of the copy has this value.
    bool copy_has(int number) const {
        std::vector<unsigned char> bytes(bytes_);
        require(cudaMemcpy(bytes.data(), copy_, bytes_, cudaMemcpyDeviceToHost));
        return bytes == std::vector<unsigned char>(bytes_, static_cast<unsigned char>(number));
    }

private:
    static void require(cudaError_t code) {
        if (code != cudaSuccess) throw std::runtime_error{cudaGetErrorString(code)};
    }

    std::size_t bytes_;
    void* out_ = nullptr;
    void* in_ = nullptr;
    void* copy_ = nullptr;
    cudaStream_t stream_ = nullptr;
};
