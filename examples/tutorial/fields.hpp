// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

/// What an application has on its device: a field to send, one to receive, and what it keeps of that. Knows nothing of
/// Sonde.
class fields {
public:
    fields(std::size_t bytes, int number) : bytes_{bytes} {
        for (auto** field : {&out_, &in_, &kept_}) require(cudaMalloc(field, bytes));
        require(cudaMemset(out_, number, bytes));
        require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        require(cudaDeviceSynchronize());
    }
    fields(fields const&) = delete;
    fields& operator=(fields const&) = delete;
    ~fields() {
        for (auto* field : {out_, in_, kept_}) cudaFree(field);
        cudaStreamDestroy(stream_);
    }

    std::byte* out() const { return static_cast<std::byte*>(out_); }
    std::byte* in() const { return static_cast<std::byte*>(in_); }
    cudaStream_t stream() const { return stream_; }

    /// Keep so much of what came in. Does not wait.
    void keep(std::size_t bytes) const {
        require(cudaMemcpyAsync(kept_, in_, bytes, cudaMemcpyDeviceToDevice, stream_));
    }
    void wait() const { require(cudaStreamSynchronize(stream_)); }
    /// Is this number in every byte that was kept?
    bool kept(int number) const {
        std::vector<unsigned char> bytes(bytes_);
        require(cudaMemcpy(bytes.data(), kept_, bytes_, cudaMemcpyDeviceToHost));
        return bytes == std::vector<unsigned char>(bytes_, static_cast<unsigned char>(number));
    }

private:
    static void require(cudaError_t code) {
        if (code != cudaSuccess) throw std::runtime_error{cudaGetErrorString(code)};
    }

    std::size_t bytes_;
    void* out_ = nullptr;
    void* in_ = nullptr;
    void* kept_ = nullptr;
    cudaStream_t stream_ = nullptr;
};
