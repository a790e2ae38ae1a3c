// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../mpi/application.hpp"

#include <sonde/cuda.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/nccl.hpp>

#include <cuda_runtime_api.h>
#include <fake/control.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <thread>
#include <vector>

/// Ranks with a device each in the fake runtime.
namespace ranks {

/// All ranks, each with its own device as the current one. Calls are recorded from the construction on.
struct on_devices {
    sonde::mpi::group all{application::comm()};

    on_devices() {
        fake::reset();
        sonde::cuda::check(cudaSetDevice(all.rank()), "cudaSetDevice");
    }
};

/// Yields, because there are fewer cores than ranks.
struct lets_others_run {
    void operator()() const { std::this_thread::yield(); }
};
using waits = sonde::nccl::polling<lets_others_run>;

/// Ranks with a communicator, a stream and a queue.
struct connected : on_devices {
    sonde::cuda::stream stream;
    sonde::nccl::communicator comm{all};
    sonde::nccl::queue<waits> on{comm, stream};

    int rank() const { return all.rank(); }
    int size() const { return all.size(); }
};

using device_allocation = sonde::allocation<sonde::cuda::device_memory>;

template <class T>
void write(device_allocation& to, std::vector<T> const& values) {
    to.write(0, std::as_bytes(std::span{values}));
}
template <class T>
std::vector<T> read(device_allocation const& from, std::size_t n) {
    std::vector<T> values(n);
    from.read(0, std::as_writable_bytes(std::span{values}));
    return values;
}

/// Calls of NCCL that f makes, in order.
template <class F>
std::vector<std::string> nccl_calls(F f) {
    auto const before = fake::calls().size();
    f();
    auto all = fake::calls();
    all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(before));
    std::erase_if(all, [](auto const& line) { return line.rfind("nccl", 0) != 0; });
    return all;
}

} // namespace ranks
