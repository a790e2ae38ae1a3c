// SPDX-License-Identifier: BSL-1.0

// Staged messages by Sonde and by hand, from the memory of a CUDA device through page-locked memory; two ranks may
// share a device. Skipped (77) without a device.

#include "staged.hpp"

#include <sonde/cuda.hpp>

#include <cuda_runtime_api.h>

namespace {

struct copies {
    using device = sonde::cuda::device_memory;
    using host = sonde::cuda::pinned_memory;
    static void to_host(void* into, void const* from, std::size_t n) {
        cudaMemcpy(into, from, n, cudaMemcpyDeviceToHost);
    }
    static void to_device(void* into, void const* from, std::size_t n) {
        cudaMemcpy(into, from, n, cudaMemcpyHostToDevice);
    }
};

int on_own_device(int devices) {
    auto const local = sonde::mpi::local_ranks::of(sonde::mpi::group{MPI_COMM_WORLD});
    sonde::cuda::check(cudaSetDevice(local.rank % devices), "cudaSetDevice");
    return staged_bench::all<copies>({100, 5}); // two ranks of one device take turns of 0.15 ms
}

} // namespace

int main(int argc, char** argv) {
    int devices = 0;
    try {
        devices = sonde::cuda::device_count();
    } catch (sonde::cuda::error const& e) {
        std::printf("skipped: %s\n", e.what());
        return 77;
    }
    return run_benchmark(argc, argv, [devices] { return on_own_device(devices); });
}
